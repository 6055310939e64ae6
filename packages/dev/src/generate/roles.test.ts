import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { roleValues } from './roles.js';

describe('the users of generated tests', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'roles-'));
    mkdirSync(join(root, 'src'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const POST = `\n    expect(errorOf(await viewer.post(collection, body(2)))).toBe('403 PERMISSION_DENIED');`;
  const DELETE = `\n    expect(errorOf(await viewer.delete(path))).toBe('403 PERMISSION_DENIED');`;
  const ADMIN = `    boss: {\n      permissions: ['create', 'read', 'manage_users'],\n      isStaff: true,\n    },\n`;

  it.each([
    ['the only other role', `    reader: { permissions: ['read'] },\n`, 'reader', POST + DELETE],
    [
      'no staff',
      `    clerk: { permissions: [], isStaff: true },\n    a: { permissions: ['read'] },\n`,
      'a',
      POST + DELETE,
    ],
    [
      'the fewest permissions',
      `    seller: { permissions: ['create', 'read', 'delete'], rateLimit: 3000 },\n    buyer: { permissions: ['create', 'read'] },\n`,
      'buyer',
      DELETE,
    ],
    [
      'every permission',
      `    'all-of-it': {\n      permissions: ['create', 'delete'],\n    },\n`,
      'all-of-it',
      '',
    ],
    ['staff only', '', 'viewer', POST + DELETE],
  ])('have the roles that the project declares: %s', (_title, others, viewerRole, refusedWrites) => {
    const text = `export const ACCESS = defineAccess({\n  roles: {\n${ADMIN}${others}  },\n  administratorRole: 'boss',\n});\n`;
    writeFileSync(join(root, 'src/access.ts'), text);
    expect(roleValues(root)).toEqual({ adminRole: 'boss', viewerRole, refusedWrites });
  });

  it('have the roles of a new project if no file declares roles', () => {
    expect(roleValues(root)).toEqual({
      adminRole: 'admin',
      viewerRole: 'viewer',
      refusedWrites: POST + DELETE,
    });
  });
});
