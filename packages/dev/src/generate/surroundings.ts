import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import '@plinth/core';
import { getMetadataArgsStorage } from 'typeorm';

import { sourceFiles } from '../source-files.js';
import { camel, ResourceSpec } from './resource-spec.js';

/** The resource to which the rows of the generated resource belong. */
export interface Parent {
  /** `products`: its path. */
  readonly path: string;
  /** `Product`: its entity. */
  readonly entity: string;
  /** The path of the entity's file in `src/`, without the extension. */
  readonly entityFile: string;
  /** The property of a row that holds the id of the parent: `productId`. */
  readonly property: string;
  /** `PRODUCTS`: its definition. */
  readonly constant: string;
  /** The path of the definition's file in `src/`, without the extension. */
  readonly file: string;
  /** The error code for a parent that does not exist. */
  readonly notFound: string;
  /** Its type in grants, if grants can name it. */
  readonly grants: string | undefined;
  /** Whether its `rows` selects all rows for every caller, or is missing. */
  readonly concernsEverybody: boolean;
  /** Whether everybody who has the permission `read` may call the routes that read its rows. */
  readonly isOpen: boolean;
  /** The resource below whose rows its rows are created: at `/tickets/{ticketId}/comments`, that of tickets. */
  readonly under: Parent | undefined;
  /** The types of its properties in TypeScript, without those that it inherits. */
  readonly properties: Readonly<Record<string, string>>;
  /** The resources to which a new row must refer, by the properties with their ids. */
  readonly references: Readonly<Record<string, Parent>>;
}

/** The tables of the base's own entities. */
const BASE_TABLES = new Set(getMetadataArgsStorage().tables.map(({ name }) => name));

/** The texts of the files in `src/`. The keys are their paths in `src/`, without the extension. */
type Sources = ReadonlyMap<string, string>;

/** A project, and the version of the API whose operations the generated tests call. */
interface Project {
  readonly sources: Sources;
  readonly surface: string;
  readonly version: string;
}

const readProject = (root: string, { versions }: ResourceSpec): Project => ({
  sources: new Map(
    sourceFiles([join(root, 'src')], /\.(?:entity|resource)\.ts$/).map(({ name, text }) => [
      name.replace(/\.ts$/, ''),
      text,
    ]),
  ),
  surface: surfaceIn(root),
  version: versions.at(-1) ?? '1',
});

/**
 * Returns the resources to which fields refer, by the names of the fields.
 * @throws Error if a resource does not exist, or if the tests cannot create rows of it
 */
export function findReferences(root: string, spec: ResourceSpec): Readonly<Record<string, Parent>> {
  const references: Record<string, Parent> = {};
  for (const { name, type } of spec.fields) {
    if (type.refersTo === undefined) continue;
    const place = `${name}:reference(${type.refersTo})`;
    const project = readProject(root, spec);
    references[name] = findResource(project, type.refersTo, place);
    if (!findOperation(project, 'POST', type.refersTo))
      throw new Error(
        `${place}: /api/v${project.version}/${type.refersTo} must have a POST operation; otherwise write this field by hand`,
      );
  }
  return references;
}

/**
 * Looks up the parent of a resource.
 *
 * @param root the root folder of the project
 * @throws Error if the parent does not exist or is unsuitable, or if the resource already exists
 */
export function findParent(root: string, spec: ResourceSpec): Parent | undefined {
  const { plural, table } = spec.names;
  const project = readProject(root, spec);
  for (const path of [`src/${plural}`, `test/e2e/${plural}.test.ts`])
    if (existsSync(join(root, path))) throw new Error(`${path} already exists`);
  const made = [...project.sources].find(([, text]) => text.includes(`@Entity('${table}'`));
  if (made) throw new Error(`src/${made[0]}.ts already has a table ${table}`);
  if (BASE_TABLES.has(table)) throw new Error(`the base already has a table ${table}`);
  if (spec.parent === undefined) return undefined;
  const parent = findResource(project, spec.parent, `--parent ${spec.parent}`);
  for (const version of spec.versions) assertReadable({ ...project, version }, spec.parent, spec);
  return parent;
}

/**
 * Asserts that every caller who may read the rows of a resource may also read their parents, because a path reveals
 * which parents exist. Also asserts that the tests of the resource can create parents.
 */
function assertReadable(project: Project, path: string, { isOwned, isPublic }: ResourceSpec): void {
  const access = findOperation(project, 'GET', path, '/\\{id\\}')?.access ?? '';
  const readers = [...OPEN, ...(isOwned || isPublic ? [] : ['read & staff'])];
  if (readers.includes(access) && findOperation(project, 'POST', path)) return;
  const required = isOwned || isPublic ? 'everybody' : 'all of the staff';
  throw new Error(
    `--parent: /api/v${project.version}/${path} must have a POST operation, and its rows must be readable by ${required}; otherwise write this module by hand`,
  );
}

/** The access of operations that everybody with the permission `read` may call. */
const OPEN = ['read', 'read | anonymous'];

/** An operation on a resource. */
interface Operation {
  /** Its access in docs/api-surface.txt: `read & staff`. */
  readonly access: string;
  /** The path of the resource below which the operation is: `tickets` for `/tickets/{ticketId}/comments`. */
  readonly above: string | undefined;
}

/** Returns an operation at the path of a resource, or else below its parent, as the generator writes it. */
function findOperation(
  { surface, version }: Project,
  method: string,
  path: string,
  end = '',
): Operation | undefined {
  const form = `^${method} /api/v${version}/(?:([a-z0-9-]+)/\\{\\w+Id\\}/)?${path}${end} (?:\\S+ \\[(.+?)\\])?`;
  const operations = [...surface.matchAll(new RegExp(form, 'gm'))].map(([, above, access = '']) => ({
    access,
    above,
  }));
  return operations.find(({ above }) => above === undefined) ?? operations[0];
}

/** Returns the versions of the API that have operations in docs/api-surface.txt. */
export function servedVersions(root: string): string[] {
  const versions = [...surfaceIn(root).matchAll(/ \/api\/v(\d+)\//g)].map(([, version = '']) => version);
  return [...new Set(versions)].sort();
}

/** Returns the attributes of users that `defineAccess()` of a project names. They limit the rows that users see. */
export const declaredAttributes = (root: string): string[] =>
  sourceFiles([join(root, 'src')], /\.ts$/).flatMap(({ text }) => {
    const [, names = ''] = /\bdefineAccess\(\{[^]*?\n {2}attributes: \[([^\]]*)\]/.exec(text) ?? [];
    return [...names.matchAll(/['"](\w+)['"]/g)].flatMap(([, name]) => name ?? []);
  });

function surfaceIn(root: string): string {
  const path = join(root, 'docs/api-surface.txt');
  if (!existsSync(path)) throw new Error('There is no docs/api-surface.txt: run plinth openapi to write it.');
  return readFileSync(path, 'utf8');
}

/** Matches an id that clients must send, with its foreign key and its property. */
const REQUIRED_REFERENCE =
  /@Id\(\{(?:(?!readOnly|nullable|default:)[^}])*\}\)\n {2}@ForeignKey\(\(\) => (\w+).*\n {2}(\w+): number;/g;

/** @param place begins the message of the error if no module defines the resource */
function findResource(project: Project, path: string, place: string): Parent {
  const { sources } = project;
  const definition = new RegExp(
    `export const (\\w+): ResourceDefinition<(\\w+)> = \\{\\s*path: '${path}',[^]*?notFound: (?:\\w+\\.)?(\\w+)[^]*?^\\};`,
    'm',
  );
  for (const [file, text] of sources) {
    const [whole = '', constant, entity = '', notFound = ''] = definition.exec(text) ?? [];
    const found = [...sources].find(([, other]) => other.includes(`export class ${entity} extends `));
    if (constant === undefined || !found) continue;
    const property = `${camel(entity)}Id`;
    const [, grants] = /\bgrantsOn\('([a-z-]+)'/.exec(whole) ?? [];
    const [entityFile, entityText] = found;
    const properties = Object.fromEntries(
      [...entityText.matchAll(/^ {2}(\w+): (.+);$/gm)].map(([, name = '', type = '']) => [name, type]),
    );
    const concernsEverybody = isOfEverybody(sources, constant);
    const references: Record<string, Parent> = {};
    for (const [, target = '', name = ''] of entityText.matchAll(REQUIRED_REFERENCE))
      references[name] = findResource(project, pathOf(sources, target), place);
    const above = findOperation(project, 'POST', path)?.above;
    return {
      ...{ path, entity, entityFile, property, constant, file, notFound, grants },
      ...{ concernsEverybody, properties, references },
      isOpen: OPEN.includes(findOperation(project, 'GET', path, '/\\{id\\}')?.access ?? ''),
      under: above === undefined ? undefined : findResource(project, above, place),
    };
  }
  throw new Error(`${place}: no module defines a resource with this path`);
}

/** Returns the path of the resource of an entity, or `''`. */
const pathOf = (sources: Sources, entity: string): string =>
  [...sources.values()].flatMap(
    (text) => new RegExp(`ResourceDefinition<${entity}> = \\{\\s*path: '([^']+)'`).exec(text)?.[1] ?? [],
  )[0] ?? '';

/** Whether `rows` of a resource, or of its parent, selects all rows for every caller, or is missing. */
function isOfEverybody(sources: Sources, constant: string): boolean {
  const definition = new RegExp(`export const ${constant}: ResourceDefinition<\\w+> = \\{[^]*?^\\};`, 'm');
  const [text = ''] = [...sources.values()].flatMap((source) => definition.exec(source) ?? []);
  const [, parent] = /^ {2}rows: rowsOf\((\w+),/m.exec(text) ?? [];
  return parent === undefined
    ? !/^ {2}rows: (?!\(\) => ALL_ROWS,)/m.test(text)
    : isOfEverybody(sources, parent);
}
