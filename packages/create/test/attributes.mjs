import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProject } from './support.mjs';

/** Makes a project limit the rows of its users by their company, as packages/core/docs/row-access.md describes. */
export function declareAttributes(project) {
  const edit = (name, ...changes) => {
    const path = join(project, name);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      changes.reduce((before, [from, to]) => {
        assert(before.includes(from), `${name} does not contain ${from}`);
        return before.replace(from, to);
      }, text),
    );
  };
  edit('src/config/access.ts', ['  grantedResources:', "  attributes: ['companyId'],\n  grantedResources:"]);
  edit(
    'src/users/user.entity.ts',
    ['import { Choice, ', 'import { Choice, Integer, '],
    [
      '  name: string | null;\n',
      '  name: string | null;\n\n  @Integer({ nullable: true, readOnly: true, example: 1 })\n  companyId: number | null;\n',
    ],
  );
  edit(
    'src/users/user.resource.ts',
    ['import { defineList', 'import { ALL_ROWS, defineList'],
    [
      "  grants: [grantsOn('user')],\n",
      `  grants: [grantsOn('user')],
  rows: ({ caller }) => {
    if (caller.isStaff) return ALL_ROWS;
    const { companyId } = caller.attributes;
    return companyId === null ? { id: caller.userId } : { companyId };
  },
`,
    ],
  );
}

/** Modules whose rows concern the callers of a company, those whom their parents concern at any depth, and their owners. */
export const LIMITED_RESOURCES = [
  ['companies', 'name:text(200)!', '--read', 'everyone'],
  ['tickets', 'companyId:reference(companies)', 'subject:text(200)!'],
  ['watches', 'ticketId:reference(tickets)', 'byId:reference(users)?'],
  ['comments', 'text:text(500)', '--parent', 'tickets'],
  ['reactions', 'emoji:text(20)!', '--parent', 'comments'],
  ['notes', 'text:text(200)', '--owner', 'user'],
];

/** Checks that generated modules of a project with attributes start, and pass their tests and the laws. */
export async function checkAttributes(project, env) {
  declareAttributes(project);
  for (const resource of LIMITED_RESOURCES)
    await inProject(project, env, 'npx', 'plinth', 'generate', 'resource', ...resource);
  await inProject(project, env, 'npx', 'tsc', '--noEmit');
  await inProject(project, env, 'npm', 'run', 'lint');
  await inProject(project, env, 'npm', 'run', 'format', '--', '--check');
  await inProject(project, env, 'npx', 'jest', 'laws', 'users', ...LIMITED_RESOURCES.map(([name]) => name));
}
