import { ResourceSpec } from './resource-spec.js';
import { GeneratedRows, TemplateValues } from './rows.js';
import { Parent } from './surroundings.js';

/** The resources to which fields refer, by the names of the fields. */
export type References = Readonly<Record<string, Parent>>;

/**
 * Returns TypeScript that creates a row of another resource in the tests, after the row below whose path it is created. It
 * passes the ids of the rows to which the row must refer, and the attributes that the administrator, who creates it, does not
 * have.
 */
function creation(base: string, row: Parent, attributes: readonly string[]): string {
  const { path, under, references, properties } = row;
  const values = attributes.flatMap((name) => {
    const value = { number: '1', string: `'text 1'` }[properties[name] ?? ''];
    return value === undefined || name in references ? [] : `${name}: ${value}`;
  });
  for (const [name, one] of Object.entries(references))
    values.push(`${name}: await ${creation(base, one, attributes)}`);
  const place = under
    ? `\`${base}/${under.path}/\${await ${creation(base, under, attributes)}}/${path}\``
    : `'${base}/${path}'`;
  return `createOther(${place}${values.length > 0 ? `, { ${values.join(', ')} }` : ''})`;
}

/** The imports of the entities to which fields refer, and the rows of the tests to which their rows refer. */
export function referenceValues(
  { isOwned, versions }: ResourceSpec,
  parent: Parent | undefined,
  rows: GeneratedRows | undefined,
  references: References,
): TemplateValues {
  const base = `/api/v${versions.at(-1) ?? '1'}`;
  const create = (row: Parent): string => creation(base, row, rows?.attributes ?? []);
  const imported = new Map(Object.values(references).map(({ entity, entityFile }) => [entityFile, entity]));
  for (const file of [parent?.entityFile ?? '', isOwned ? 'users/user.entity' : '']) imported.delete(file);
  const names = Object.keys(references);
  return {
    imports: [...imported].map(([file, entity]) => `import { ${entity} } from '../${file}.js';`).join('\n'),
    others: parent !== undefined || names.length > 0,
    parentCreation: parent && create(parent),
    references: names.map((name) => `${name}: [] as number[]`).join(', '),
    creations: Object.entries(references)
      .map(([name, row]) => `    references.${name} = [await ${create(row)}, await ${create(row)}];`)
      .join('\n'),
  };
}
