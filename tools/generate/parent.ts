import { dirname } from 'node:path/posix';

import { kebab } from './names.js';
import { Reference, referenceTo, Sources } from './references.js';
import { ResourceSpec } from './resource-spec.js';

/** The resource that the rows of a generated one belong to. */
export interface ParentReference extends Reference {
  /** `products`: its path. */
  readonly path: string;
  /** `product`: what one of its rows is called in names, and in sentences. */
  readonly singular: string;
  readonly word: string;
  /** The property of a row that holds its id: `productId`. */
  readonly property: string;
  /** `PRODUCTS`: its definition, and the file of that, from `src/`, without its ending. */
  readonly constant: string;
  readonly resourceFile: string;
  /** The code of the error where it does not exist. */
  readonly notFound: string;
}

/** The definition of a resource as a module writes it. */
interface Definition {
  readonly file: string;
  readonly constant: string;
  readonly entity: string;
  readonly text: string;
}

/**
 * Looks up the resource that has a path of its own.
 *
 * @param faults gets a line for each thing that is in the way
 */
export function parentIn(
  sources: Sources,
  path: string,
  spec: ResourceSpec,
  faults: string[],
): ParentReference | undefined {
  const label = `--parent ${path}`;
  const definition = definitionOf(sources, path);
  if (!definition) {
    faults.push(`${label}: no module defines a resource with this path`);
    return undefined;
  }
  const { file, constant, entity, text } = definition;
  const reference = referenceTo(sources, entity);
  const parent = named(path, entity);
  const found = [
    ...faultsOfRoutes(sources, definition, spec.versions),
    ...(reference ? [] : [`there is no entity ${entity}`]),
    ...(spec.fields.some(({ name }) => name === parent.property) ? [`${parent.property} is its field`] : []),
  ];
  faults.push(...found.map((fault) => `${label}: ${fault}`));
  if (!reference || found.length > 0) return undefined;
  const notFound = /notFound: (?:\w+\.)?(\w+)/.exec(text)?.[1] ?? '';
  return { ...reference, ...parent, constant, resourceFile: file.replace(/\.ts$/, ''), notFound };
}

function named(
  path: string,
  entity: string,
): Pick<ParentReference, 'path' | 'singular' | 'word' | 'property'> {
  const singular = kebab(entity);
  const property = `${entity.charAt(0).toLowerCase()}${entity.slice(1)}Id`;
  return { path, singular, word: singular.replaceAll('-', ' '), property };
}

function definitionOf(sources: Sources, path: string): Definition | undefined {
  const form = new RegExp(
    `export const (\\w+): ResourceDefinition<(\\w+)> = \\{\\s*path: '${path}',[^]*?\\n\\};`,
  );
  for (const [file, text] of sources) {
    const [whole, constant = '', entity = ''] = form.exec(text) ?? [];
    if (whole !== undefined) return { file, constant, entity, text: whole };
  }
  return undefined;
}

/** A route that reads rows, and not for everybody. */
const LIMITED_READ =
  /@Get\([^)]*\)\s*@RequirePermission\('(?:manage_users'|read', \{[^}]*\b(?:staff|orOwner|orSelf)\b)/;

/** Rows under a parent are tested with parents that the tests create, at its own path. */
function faultsOfRoutes(
  sources: Sources,
  { file, constant }: Definition,
  versions: readonly string[],
): string[] {
  const routes = [...sources]
    .filter(([other]) => dirname(other) === dirname(file) && other.endsWith('.controller.ts'))
    .flatMap(([, text]) => text.split(/(?=@Resource\()/))
    .filter((part) => new RegExp(`^@Resource\\(\\{[^]*\\.\\.\\.${constant},`).test(part))
    .filter((part) => !/\bpath:/.test(part.slice(0, part.indexOf('class '))));
  const faults = [
    ...(routes.some((part) => LIMITED_READ.test(part))
      ? [
          'not everybody may read its rows, and what belongs to them must know whose they are: write it by hand',
        ]
      : []),
    ...(routes.some((part) => /@Post\(/.test(part))
      ? []
      : ['nothing creates its rows under this path: write it by hand']),
  ];
  if (faults.length > 0) return faults;
  const served = routes.flatMap((part) =>
    [...(/version: (\[[^\]]*\]|'\w+')/.exec(part)?.[1] ?? '').matchAll(/\w+/g)].map(([version]) => version),
  );
  const missing = versions.filter((version) => served.length > 0 && !served.includes(version));
  return missing.length > 0
    ? [`version ${missing.join(', ')} does not serve it: --versions ${served.join(',')}`]
    : [];
}
