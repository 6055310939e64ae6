import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorsOf } from './module-errors.js';
import { ParentReference, parentIn } from './parent.js';
import { Reference, referenceTo, Sources } from './references.js';
import { ResourceSpec } from './resource-spec.js';

/** The parts of the project that a generated module refers to. */
export interface Surroundings {
  readonly parent: ParentReference | undefined;
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
  faults.push(...collisions(root, spec, sources));
  const user = spec.isOwned ? referenceTo(sources, 'User') : undefined;
  if (spec.isOwned && !user) faults.push('--owner user: there is no entity User');
  const parent = spec.parent === undefined ? undefined : parentIn(sources, spec.parent, spec, faults);
  return { parent, user };
}

function* collisions(root: string, spec: ResourceSpec, sources: Sources): Generator<string> {
  const { plural, entity, collection } = spec.names;
  for (const path of [`src/${plural}`, `test/e2e/${plural}.test.ts`])
    if (existsSync(join(root, path))) yield `${path}: is there already`;
  const example = `test/examples/${plural}`;
  if (existsSync(join(root, example))) yield `${example}: an example has that name, and the tests run both`;
  const classes = [
    ...['', 'Dto', 'BodyDto'].map((suffix) => `${entity}${suffix}`),
    `Patch${entity}Dto`,
    ...['Service', 'Controller', 'Module'].map((suffix) => `${collection}${suffix}`),
  ];
  for (const [file, text] of sources) {
    for (const fault of faultsOfFile(spec, file, text)) yield `${fault}: src/${file}`;
    for (const name of classes)
      if (new RegExp(`export (?:abstract )?class ${name}\\b`).test(text))
        yield `${name}: src/${file} has a class of that name`;
  }
}

/** The names of a resource that one file of the project has already. */
function* faultsOfFile(spec: ResourceSpec, file: string, text: string): Generator<string> {
  const { plural, table } = spec.names;
  if (new RegExp(`@Entity\\('${table}'`).test(text)) yield `the table ${table} is made already`;
  if (new RegExp(`^\\d+-create-${plural}\\.ts$`).test(file.split('/').at(-1) ?? ''))
    yield 'the migration is there already';
  for (const { code } of errorsOf(spec)) if (text.includes(`'${code}'`)) yield `${code} is an error already`;
  const path = spec.parent === undefined ? plural : `${spec.parent}/:/${plural}`;
  if (pathsIn(text).includes(path)) yield `/${path.replace(':', '{id}')} is a path already`;
}

/** The paths that the controllers and resources of a file have, without the names of their parameters. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/(?:@Controller\(|\bpath: )['"]([^'"]+)['"]/g)].map(([, path = '']) =>
    path.replaceAll(/:\w+/g, ':'),
  );
