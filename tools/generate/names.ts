import pluralize from 'pluralize';

import { singularOf } from '../../src/core/resources/words.js';

/** The names of a resource in all forms that code needs, derived from its plural and singular: `order-notes`. */
export interface Names {
  /** `order-notes`: its folder and path. */
  readonly plural: string;
  /** `order-note`: its files. */
  readonly singular: string;
  /** Whether the rules of English make another singular of its plural. */
  readonly isIrregular: boolean;
  /** `OrderNote`: its entity. */
  readonly entity: string;
  /** `OrderNotes`: its service and module. */
  readonly collection: string;
  /** `ORDER_NOTE`: its errors. */
  readonly code: string;
  /** `ORDER_NOTES`: its definition. */
  readonly constant: string;
  /** `order_notes`. */
  readonly table: string;
  /** `order notes`, `order note`: in sentences. */
  readonly words: string;
  readonly word: string;
}

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const upper = (name: string): string => name.replaceAll('-', '_').toUpperCase();

/** `OrderNote` → `order-note`. */
export const kebab = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/** Words of which nothing tells what one is called, or whether they are a plural at all. */
const AMBIGUOUS = new Set(
  `analytics canvas chaos clothes data goods headquarters lens logistics pants physics politics premises scissors sms
  statistics`.split(/\s+/),
);

/** Whether the last word of a name is a plural that has a singular of its own. */
function isPlural(name: string): boolean {
  const last = name.slice(name.lastIndexOf('-') + 1);
  return !AMBIGUOUS.has(last) && pluralize.isPlural(last) && pluralize.singular(last) !== last;
}

/** The names that templates import, and those that TypeScript, JavaScript or Nest have for something else. */
const TAKEN = new Set(
  `Array Boolean Buffer Date Error Function Map Math Module Number Object Promise Proxy Record RegExp Request Response
  Set String Symbol Body Column Controller Entity Get Index Unique ForeignKey Injectable Patch Post Put Delete Resource
  Service BodyOf PatchOf PickOf ResourceEntity ResourceDefinition ExpressionIndex TypeOrmModule
  Text Money Integer Decimal Choice Flag DateOnly Timestamp Email Url Uuid Id Event Node`.split(/\s+/),
);

/** Names of fields that something else has. */
const TAKEN_FIELDS: ReadonlySet<string> = new Set(
  `id version createdAt updatedAt deletedAt constructor toString valueOf hasOwnProperty prototype then sort page limit
  cursor break case catch class const continue debugger default delete do else enum export extends false finally for
  function if import in instanceof new null return super switch this throw true try typeof var void while with yield
  let static await async of`.split(/\s+/),
);

/** Whether a name is one of a path: words of lower-case letters and digits, joined by `-`. */
const isName = (name: string): boolean =>
  /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/.test(name) && name.length <= 40;

/**
 * The names of a resource.
 *
 * @param one what one of its rows is called, where the rules of English do not tell
 * @returns a text that says what is wrong with it, where something is
 */
export function namesOf(plural: string, one?: string): Names | string {
  if (!isName(plural))
    return `takes words of lower-case letters joined by -, at most 40 characters, such as brands or order-notes`;
  if (one !== undefined && (!isName(one) || one === plural))
    return `--singular takes what one of them is called, another name than ${plural}, such as ${plural}-entry`;
  if (one === undefined && !isPlural(plural))
    return 'takes a plural, such as brands; where it is one, --singular says what one of them is called';
  const table = plural.replaceAll('-', '_');
  const singular = one ?? pluralize.singular(plural);
  const entity = pascal(singular);
  if (TAKEN.has(entity))
    return `${entity} is the name of something else in TypeScript or NestJS: take another name, or another --singular`;
  return {
    plural,
    singular,
    isIrregular: singular !== singularOf(plural),
    entity,
    collection: pascal(plural),
    code: upper(singular),
    constant: upper(plural),
    table,
    words: plural.replaceAll('-', ' '),
    word: singular.replaceAll('-', ' '),
  };
}

/** The reason why a field cannot have a name; `undefined`: it can. */
export function faultOfFieldName(name: string): string | undefined {
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name) || name.length > 50)
    return 'takes a name such as inStock: letters and digits, the first one lower-case, at most 50';
  if (TAKEN_FIELDS.has(name))
    return 'is a name that every resource, every list or TypeScript has for something else';
  return undefined;
}

/** `inStock` → `in_stock`. */
export const columnOf = (property: string): string =>
  property.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** The import of public names of the base. */
export const fromCore = (names: Iterable<string>): string =>
  `import { ${[...names].sort((a, b) => a.localeCompare(b)).join(', ')} } from '../core/index.js';\n`;
