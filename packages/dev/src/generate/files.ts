import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ProjectFile } from '../project-files.js';
import { Names, ResourceSpec } from './resource-spec.js';
import { roleValues } from './roles.js';
import { buildRows, TemplateValues } from './rows.js';
import { findReferences, Parent } from './surroundings.js';
import { buildErrors, GeneratedError } from './unique.js';
import { buildValues } from './values.js';

/** The names that templates and fields may import from TypeORM and from the base. */
const TYPEORM = ['Entity', 'ForeignKey', 'Index', 'Unique'];
const CORE =
  `ALL_ROWS ApiErrorResponse atLeast atMost BodyOf Caller Choice ChoiceArray contains CurrentUser Database DateOnly Decimal defineErrors
  defineList Email equals ExpressionIndex Flag grantsOnParent Id Integer INVALID_TOKEN Json ListQuery Money Page ParseIdPipe
  PatchOf PickOf Preconditions RequirePermission Resource ResourceDefinition ResourceEntity
  ResourceRepository ResourceService rowsOf Text TextArray Timestamp Transaction Url`.split(/\s+/);

/** The page with the table of errors. Not every project has it. */
const ERRORS_PAGE = 'docs/errors.md';

const template = (name: string): string =>
  readFileSync(new URL(`../../templates/${name}`, import.meta.url), 'utf8');

/**
 * Returns the files of a resource, and the changed files that list all resources. They are not formatted yet.
 * @param attributes the attributes of users that the project declares
 */
export function plannedFiles(
  root: string,
  spec: ResourceSpec,
  parent: Parent | undefined,
  attributes: readonly string[],
): ProjectFile[] {
  const rows = buildRows(spec, parent, attributes);
  const values = { ...buildValues(spec, parent, rows, findReferences(root, spec)), ...roleValues(root) };
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
      ? [{ path: ERRORS_PAGE, text: withErrors(read(ERRORS_PAGE), buildErrors(spec, rows)) }]
      : []),
  ];
}

/**
 * Fills in a template. `{{name}}` becomes the value of the name. Lines between `{{#name}}` and `{{/}}` stay only if the
 * name has a value. @throws Error for a name without a value
 */
function fillTemplate(template: string, values: TemplateValues): string {
  return template
    .replaceAll(/^\{\{#(\w+)\}\}\n([^]*?)^\{\{\/\}\}\n/gm, (_, name: string, text: string) =>
      values[name] ? text : '',
    )
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      if (typeof value !== 'string') throw new Error(`the template needs a value for ${name}`);
      return value;
    });
}

/** Adds the import of the module, sorted by file, and adds the module to the end of `imports`. */
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

/** Adds rows to the table of errors, which is sorted by status and code. */
function withErrors(text: string, errors: readonly GeneratedError[]): string {
  const lines = text.split('\n');
  for (const { status, code, summary, cure } of errors) {
    const before = lines.findLastIndex((line) => {
      const [, otherCode = '', otherStatus = ''] = /^\| `([A-Z_]+)` *\| (\d{3}) *\|/.exec(line) ?? [];
      return otherCode !== '' && (Number(otherStatus) - status || otherCode.localeCompare(code)) < 0;
    });
    // The first row goes directly below the head of the table.
    const place = before < 0 ? lines.findIndex((line) => line.startsWith('| -')) : before;
    if (place >= 0) lines.splice(place + 1, 0, `| \`${code}\` | ${status} | ${summary} | ${cure} |`);
  }
  return assertChanged(ERRORS_PAGE, text, lines.join('\n'));
}

/** Returns the changed text. @throws Error if nothing was changed, because the file does not have its usual form */
function assertChanged(path: string, before: string, text: string): string {
  if (text === before) throw new Error(`${path}: found no place to register a module`);
  return text;
}
