import { RESERVED_WORDS } from '../migrations/sql-words.js';

/** The names of a resource in all forms that code needs, derived from its plural: `order-notes`. */
export interface Names {
  /** `order-notes`: its folder and path. */
  readonly plural: string;
  /** `order-note`: its files. */
  readonly singular: string;
  /** `OrderNote`: its entity. */
  readonly entity: string;
  /** `OrderNotes`: its service and module. */
  readonly collection: string;
  /** `ORDER_NOTE`: its errors. */
  readonly code: string;
  /** `ORDER_NOTES`: its definition. */
  readonly constant: string;
  /** `orderNoteList`, `orderNotes`: values. */
  readonly variable: string;
  /** `order_notes`. */
  readonly table: string;
  /** `order notes`, `order note`: in sentences. */
  readonly words: string;
  readonly word: string;
}

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const camel = (name: string): string => pascal(name).replace(/^./, (letter) => letter.toLowerCase());
const upper = (name: string): string => name.replaceAll('-', '_').toUpperCase();

/** Words whose plural is no rule's. */
const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  children: 'child',
  movies: 'movie',
  cookies: 'cookie',
  caches: 'cache',
};

/** Plurals that look like their singular, or words that end in s and are none: nothing tells the two apart. */
const AMBIGUOUS =
  /^(?:news|series|species|status|address|process|class|business|analysis|basis|bus|gas|lens|data|media|sheep|fish)$/;

/** The singular of a plural; `undefined` where it cannot be told. */
export function singularOf(plural: string): string | undefined {
  const at = plural.lastIndexOf('-') + 1;
  const word = plural.slice(at);
  const one = singularWord(word);
  return one === undefined ? undefined : plural.slice(0, at) + one;
}

function singularWord(word: string): string | undefined {
  if (Object.hasOwn(IRREGULAR, word)) return IRREGULAR[word];
  if (AMBIGUOUS.test(word) || !/[^s]s$/.test(word)) return undefined;
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(?:ss|sh|ch|x|zz|(?<![ao])us)es$/.test(word)) return word.replace(/es$/, '');
  if (/(?:us|is)$/.test(word)) return undefined;
  return word.slice(0, -1);
}

/** Names that TypeScript, JavaScript or Nest have for something else. */
const TAKEN = new Set(
  `Array Boolean Date Error Function Map Module Number Object Promise Proxy RegExp Request Response Set String Symbol
  Body Column Controller Entity Get Index Injectable Patch Post Put Delete Resource Service Text Money Integer Decimal
  Choice Flag Email Url Uuid Id Event Node`.split(/\s+/),
);

/** Names of fields that something else has. */
const TAKEN_FIELDS: ReadonlySet<string> = new Set(
  `id version createdAt updatedAt deletedAt constructor toString valueOf hasOwnProperty prototype then sort page limit
  cursor break case catch class const continue debugger default delete do else enum export extends false finally for
  function if import in instanceof new null return super switch this throw true try typeof var void while with yield
  let static await async of`.split(/\s+/),
);

/** The names of a resource. @returns a text that says what is wrong with it, where something is */
export function namesOf(plural: string): Names | string {
  if (!/^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/.test(plural) || plural.length > 40)
    return `takes words of lower-case letters joined by -, at most 40 characters, such as brands or order-notes`;
  const singular = singularOf(plural);
  if (singular === undefined) return 'takes a plural, such as brands, of which the singular can be told';
  const table = plural.replaceAll('-', '_');
  const entity = pascal(singular);
  if (RESERVED_WORDS.has(table)) return `${table} is a word of SQL: take another name`;
  if (TAKEN.has(entity))
    return `${entity} is the name of something else in TypeScript or NestJS: take another name`;
  return {
    plural,
    singular,
    entity,
    collection: pascal(plural),
    code: upper(singular),
    constant: upper(plural),
    variable: camel(plural),
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
  if (RESERVED_WORDS.has(columnOf(name))) return 'is a word of SQL: take another name';
  return undefined;
}

/** `inStock` → `in_stock`. */
export const columnOf = (property: string): string =>
  property.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
