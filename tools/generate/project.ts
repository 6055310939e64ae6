import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Names } from './names.js';
import { ResourceSpec } from './resource-spec.js';

/** Something of another module that a generated one refers to. */
export interface Reference {
  /** The class of its entity. */
  readonly entity: string;
  /** From `src/`, without its ending. */
  readonly entityFile: string;
  readonly hasUuid: boolean;
}

/** The parts of the project that a generated module refers to. */
export interface Surroundings {
  readonly parent: (Reference & { readonly resourceFile: string; readonly constant: string }) | undefined;
  readonly user: Reference | undefined;
}

/**
 * Looks up what a resource refers to, and whether its names are free.
 *
 * @param root of the project
 * @param faults gets a line for each thing that is in the way
 */
export function surroundingsOf(root: string, spec: ResourceSpec, faults: string[]): Surroundings {
  const sources = new Map(
    readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => [file.replaceAll('\\', '/'), readFileSync(join(root, 'src', file), 'utf8')]),
  );
  faults.push(...collisions(root, spec.names, sources));
  return {
    parent: spec.parent && parentIn(sources, spec.parent, faults),
    user: spec.isOwned ? referenceTo(sources, 'users/user', faults) : undefined,
  };
}

function* collisions(root: string, names: Names, sources: ReadonlyMap<string, string>): Generator<string> {
  const { plural, table, entity, code } = names;
  if (existsSync(join(root, 'src', plural))) yield `src/${plural}: is there already`;
  if (existsSync(join(root, `test/e2e/${plural}.test.ts`)))
    yield `test/e2e/${plural}.test.ts: is there already`;
  const example = `test/examples/${plural}`;
  if (existsSync(join(root, example))) yield `${example}: an example has that name, and the tests run both`;
  for (const [file, text] of sources) {
    if (new RegExp(`create table "?${table}"?[ (]`).test(text))
      yield `${table}: src/${file} makes a table of that name`;
    if (new RegExp(`^\\d+-create-${plural}\\.ts$`).test(file.split('/').at(-1) ?? ''))
      yield `src/${file}: is there already`;
    if (file.endsWith('.entity.ts') && new RegExp(`export class ${entity} `).test(text))
      yield `${entity}: src/${file} has an entity of that name`;
    if (text.includes(`'${code}_NOT_FOUND'`))
      yield `${code}_NOT_FOUND: src/${file} has an error of that name`;
    if (
      new RegExp(`@(?:Resource|Controller)\\([^)]*['"]${plural}['"]`).test(text) ||
      text.includes(`path: '${plural}',`)
    )
      yield `/${plural}: src/${file} has that path`;
  }
}

function referenceTo(
  sources: ReadonlyMap<string, string>,
  name: string,
  faults: string[],
): Reference | undefined {
  const entityFile = `${name}.entity`;
  const text = sources.get(`${entityFile}.ts`) ?? '';
  const [, entity, base] = /export class (\w+) extends (\w+)/.exec(text) ?? [];
  if (entity) return { entity, entityFile, hasUuid: base === 'UuidResourceEntity' };
  faults.push(`src/${entityFile}.ts: there is no such entity`);
  return undefined;
}

function parentIn(
  sources: ReadonlyMap<string, string>,
  { plural, singular, constant }: Names,
  faults: string[],
): Surroundings['parent'] {
  const reference = referenceTo(sources, `${plural}/${singular}`, faults);
  const resourceFile = `${plural}/${singular}.resource`;
  const text = sources.get(`${resourceFile}.ts`);
  if (!reference) return undefined;
  if (!text?.includes(`export const ${constant}`)) {
    faults.push(`src/${resourceFile}.ts: there is no ${constant}`);
    return undefined;
  }
  if (new RegExp(`path: '${plural}'`).test(text)) return { ...reference, resourceFile, constant };
  faults.push(`--parent ${plural}: its own path is not /${plural}: write such a module by hand`);
  return undefined;
}
