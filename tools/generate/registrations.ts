import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ProjectFile } from '../project-files.js';
import { errorsOf } from './module-errors.js';
import { Plan } from './module-templates.js';

/** The files of the project that know all modules, with the new one among them. */
export function registrations(root: string, plan: Plan): ProjectFile[] {
  return [
    changed(root, 'src/app.module.ts', (text) => withModule(text, plan)),
    changed(root, 'docs/errors.md', (text) => withErrors(text, plan)),
  ];
}

/** @throws Error where the change finds no place in the file: somebody has written it in another way */
function changed(root: string, path: string, change: (text: string) => string): ProjectFile {
  const before = readFileSync(join(root, path), 'utf8');
  const text = change(before);
  if (text === before) throw new Error(`${path}: there is no place to register a module`);
  return { path, text };
}

/** Imports it, in the order of the files, and lists it last. */
function withModule(text: string, { spec: { names } }: Plan): string {
  const name = `${names.collection}Module`;
  const line = `import { ${name} } from './${names.plural}/${names.plural}.module.js';`;
  const lines = text.split('\n');
  const after = lines.findLastIndex(
    (other) => /^import .* from '\.\//.test(other) && fileOf(other) < fileOf(line),
  );
  const first = lines.findIndex((other) => /^import .* from '\.\//.test(other));
  if (first < 0) return text;
  lines.splice(after < 0 ? first : after + 1, 0, line);
  const imported = lines.join('\n');
  const listed = imported.replace(/(@Module\(\{\s*imports: \[[^\]]*?),?\s*\]/, `$1, ${name}]`);
  return listed === imported ? text : listed;
}

const fileOf = (line: string): string => / from '(.*)'/.exec(line)?.[1] ?? '';

/** Rows of the table of errors, by status and code. */
function withErrors(text: string, plan: Plan): string {
  const lines = text.split('\n');
  for (const { status, code, summary, cure } of errorsOf(plan.spec)) {
    const row = `| \`${code}\` | ${status} | ${summary} | ${cure} |`;
    const before = lines.findLastIndex((line) => {
      const [, otherCode = '', otherStatus = ''] = /^\| `([A-Z_]+)` *\| (\d{3}) *\|/.exec(line) ?? [];
      return otherCode !== '' && (Number(otherStatus) - status || otherCode.localeCompare(code)) < 0;
    });
    if (before >= 0) lines.splice(before + 1, 0, row);
  }
  return lines.join('\n');
}
