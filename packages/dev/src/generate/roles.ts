import { join } from 'node:path';

import { sourceFiles } from '../source-files.js';
import type { TemplateValues } from './rows.js';

interface DeclaredRole {
  readonly name: string;
  readonly isStaff: boolean;
  readonly permissions: readonly string[];
}

const quotedNames = (text: string): string[] =>
  [...text.matchAll(/['"]([\w-]+)['"]/g)].flatMap(([, name]) => name ?? []);

/** Returns the text of the call of `defineAccess()` in a project, or `''`. */
const accessIn = (root: string): string =>
  sourceFiles([join(root, 'src')], /\.ts$/).flatMap(
    ({ text }) => /\bdefineAccess\(\{[^]*?^\}\)/m.exec(text) ?? [],
  )[0] ?? '';

function rolesIn(access: string): DeclaredRole[] {
  const [, roles = ''] = /\n {2}roles: \{\n([^]*?)\n {2}\}/.exec(access) ?? [];
  return [...roles.matchAll(/^ {4}['"]?([\w-]+)['"]?: \{([^]*?)\},?$/gm)].map(
    ([, name = '', values = '']) => {
      const [, permissions = ''] = /permissions: \[([^\]]*)\]/.exec(values) ?? [];
      return { name, isStaff: values.includes('isStaff: true'), permissions: quotedNames(permissions) };
    },
  );
}

const VIEWER: DeclaredRole = { name: 'viewer', isStaff: false, permissions: [] };

/**
 * Returns the roles of the two users in generated tests, from the roles that a project declares: the administrator, and the
 * role outside the staff that has the fewest permissions. The tests expect 403 only for permissions that this role lacks.
 */
export function roleValues(root: string): TemplateValues {
  const access = accessIn(root);
  const [, admin = 'admin'] = /\badministratorRole: ['"]([\w-]+)['"]/.exec(access) ?? [];
  const [viewer = VIEWER] = rolesIn(access)
    .filter(({ isStaff, name }) => !isStaff && name !== admin)
    .sort((a, b) => a.permissions.length - b.permissions.length);
  const refused = [
    ['create', 'viewer.post(collection, body(2))'],
    ['delete', 'viewer.delete(path)'],
  ].flatMap(([permission = '', call = '']) =>
    viewer.permissions.includes(permission)
      ? []
      : `\n    expect(errorOf(await ${call})).toBe('403 PERMISSION_DENIED');`,
  );
  return { adminRole: admin, viewerRole: viewer.name, refusedWrites: refused.join('') };
}
