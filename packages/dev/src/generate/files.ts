import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ProjectFile } from '../project-files.js';
import { Names, ResourceSpec } from './resource-spec.js';
import { Parent } from './surroundings.js';
import { buildErrors, GeneratedError, TemplateValues, buildValues } from './values.js';

/** The names that templates and fields take of TypeORM and of the base. */
const TYPEORM = ['Entity', 'ForeignKey', 'Index', 'Unique'];
const CORE =
  `ApiErrorResponse atLeast atMost BodyOf Caller Choice CurrentUser Database DateOnly Decimal defineErrors
  defineList Email equals ExpressionIndex Flag grantsOnParent Id Integer INVALID_TOKEN ListQuery Money Page ParseIdPipe
  PatchOf PickOf Preconditions RequirePermission Resource ResourceDefinition ResourceEntity
  ResourceRepository ResourceService Text Timestamp Transaction Url`.split(/\s+/);

/** The table of errors, where a project has one. */
const ERRORS_PAGE = 'docs/errors.md';

const template = (name: string): string =>
  readFileSync(new URL(`../../templates/${name}`, import.meta.url), 'utf8');

/** The files of a resource, and those that know all of them, unformatted. @param root of the project */
export function plannedFiles(root: string, spec: ResourceSpec, parent: Parent | undefined): ProjectFile[] {
  const values = buildValues(spec, parent);
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const { plural } = spec.names;
  const files = template('module.txt')
    .split(/^=== /m)
    .slice(1)
    .map((section) => {
      const [path = '', ...lines] = fillTemplate(section, {
        ...values,
        core: '{{core}}',
        typeorm: '{{typeorm}}',
      }).split('\n');
      const text = lines.join('\n');
      const used = (names: readonly string[]): string =>
        names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).join(', ');
      return {
        path: `src/${plural}/${path}`,
        text: fillTemplate(text, { core: used(CORE), typeorm: used(TYPEORM) }),
      };
    });
  const test = fillTemplate(template('e2e.test.txt'), values);
  return [
    ...files,
    { path: `test/e2e/${plural}.test.ts`, text: test },
    { path: 'src/app.module.ts', text: withModule(read('src/app.module.ts'), spec.names) },
    ...(existsSync(join(root, ERRORS_PAGE))
      ? [{ path: ERRORS_PAGE, text: withErrors(read(ERRORS_PAGE), buildErrors(spec)) }]
      : []),
  ];
}

/**
 * A template with its names filled in: `{{name}}` is a value, and the lines between `{{#name}}` and `{{/}}` stay where
 * it has one. @throws Error for a name that has no value
 */
function fillTemplate(template: string, values: TemplateValues): string {
  return template
    .replaceAll(/^\{\{#(\w+)\}\}\n([^]*?)^\{\{\/\}\}\n/gm, (_, name: string, text: string) =>
      values[name] ? text : '',
    )
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      if (typeof value !== 'string') throw new Error(`the template wants ${name}`);
      return value;
    });
}

/** Imports the module, in the order of the files, and lists it last. */
function withModule(text: string, { plural, collection }: Names): string {
  const file = `./${plural}/${plural}.module.js`;
  const lines = text.split('\n');
  const fileOf = (line: string): string => /^import .* from '(\.\/.*)';/.exec(line)?.[1] ?? '';
  const after = lines.findLastIndex((line) => fileOf(line) !== '' && fileOf(line) < file);
  lines.splice(after + 1, 0, `import { ${collection}Module } from '${file}';`);
  return assertChanged(
    'src/app.module.ts',
    text,
    lines.join('\n').replace(/(@Module\(\{\s*imports: \[[^\]]*?),?\s*\]/, `$1, ${collection}Module]`),
  );
}

/** Adds rows to the table of errors, by status and code. */
function withErrors(text: string, errors: readonly GeneratedError[]): string {
  const lines = text.split('\n');
  for (const { status, code, summary, cure } of errors) {
    const before = lines.findLastIndex((line) => {
      const [, otherCode = '', otherStatus = ''] = /^\| `([A-Z_]+)` *\| (\d{3}) *\|/.exec(line) ?? [];
      return otherCode !== '' && (Number(otherStatus) - status || otherCode.localeCompare(code)) < 0;
    });
    // Above all others: below the head of the table.
    const place = before < 0 ? lines.findIndex((line) => line.startsWith('| -')) : before;
    if (place >= 0) lines.splice(place + 1, 0, `| \`${code}\` | ${status} | ${summary} | ${cure} |`);
  }
  return assertChanged(ERRORS_PAGE, text, lines.join('\n'));
}

/** @throws Error where somebody has written the file in another way */
function assertChanged(path: string, before: string, text: string): string {
  if (text === before) throw new Error(`${path}: there is no place to register a module`);
  return text;
}
