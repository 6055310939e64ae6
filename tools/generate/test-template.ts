import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { withArticle } from '../../src/core/resources/words.js';
import { ProjectFile } from '../project-files.js';
import { errorsOf } from './module-errors.js';
import { literal, Plan } from './module-templates.js';
import { FieldSpec } from './resource-spec.js';

/**
 * A template with its names filled in: `{{name}}` is a value, and the lines between `{{#name}}` and `{{/}}` stay where
 * it has one. @throws Error for a name that has no value
 */
function filled(template: string, values: Readonly<Record<string, string | boolean | undefined>>): string {
  const chosen = template.replaceAll(
    /^\{\{#(\w+)\}\}\n([^]*?)^\{\{\/\}\}\n/gm,
    (_, name: string, text: string) => (values[name] ? text : ''),
  );
  return chosen.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value !== 'string') throw new Error(`the template wants ${name}`);
    return value;
  });
}

/** The shortest unique text that has room for what tells one run of the tests from another. */
const ROOM = 12;

/** A value of a field as TypeScript, of the number `n`. */
function valueOf({ type, isUnique }: FieldSpec): string {
  if (type.type === 'boolean') return 'n % 2 === 1';
  const max = Number(/^max: (\d+)$/.exec(type.options[0] ?? '')?.[1] ?? 0);
  if (isUnique && max >= ROOM) return `\`\${RUN} \${n}\``;
  return `[${[1, 2, 3, 4].map((n) => literal(type.sample(n))).join(', ')}][n % 4]`;
}

const longLiteral = (value: string | number): string =>
  typeof value === 'string' && /^x+$/.test(value) ? `'x'.repeat(${value.length})` : literal(value);

/** The end-to-end tests of a generated resource, unformatted. @param root of the project */
export function testFile(root: string, plan: Plan): ProjectFile {
  const { spec, surroundings } = plan;
  const { names, fields } = spec;
  const { parent } = surroundings;
  const base = `/api/v${spec.versions.at(-1) ?? '1'}`;
  const parentPath = parent && `${base}/${parent.path}`;
  const nullable = fields.filter(({ isNullable }) => isNullable).map(({ name }) => name);
  const left = (value: string): string =>
    nullable.length === 0
      ? 'body(2)'
      : `{ ...body(2), ${nullable.map((name) => `${name}: ${value}`).join(', ')} }`;
  const required = fields.filter(({ isNullable }) => !isNullable).map(({ name }) => `${name} REQUIRED`);
  const refused = fields.flatMap(({ name, type: { refused: one } }) =>
    one ? [`    ['${name} ${one[1]}', { ${name}: ${longLiteral(one[0])} }],`] : [],
  );
  const taken = errorsOf(spec).filter(({ status }) => status === 409);
  const article = parent ? withArticle(parent.word) : '';
  const text = filled(readFileSync(join(root, 'tools/generate/templates/e2e.test.txt'), 'utf8'), {
    words: names.words,
    plural: names.plural,
    code: names.code,
    unique: fields.some((field) => valueOf(field).includes('RUN')),
    nested: parent !== undefined,
    owned: spec.isOwned,
    shared: !spec.isOwned,
    values: fields.map((field) => `  ${field.name}: ${valueOf(field)},`).join('\n'),
    first: fields[0]?.name,
    withoutOptional: left('undefined'),
    withNulls: left('null'),
    collection: parentPath
      ? `\`${parentPath}/\${await createParent()}/${names.plural}\``
      : `'${base}/${names.plural}'`,
    parentPath,
    aParent: article.charAt(0).toUpperCase() + article.slice(1),
    parentNotFound: parent?.notFound,
    faultsImport: required.length + refused.length > 0 ? ', faultsOf' : '',
    required:
      required.length > 0 &&
      [...required, 'unknown UNKNOWN_FIELD']
        .sort()
        .map((fault) => `'${fault}'`)
        .join(', '),
    refused: refused.join('\n'),
    taken: taken.map(({ field, code }) => `['${field ?? ''}', '${code}']`).join(', '),
  });
  return { path: `test/e2e/${names.plural}.test.ts`, text };
}
