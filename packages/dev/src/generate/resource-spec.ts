import { toSingular } from '@plinth/core/dev';
import pluralize from 'pluralize';

import { readArguments } from '../cli/command.js';
import {
  arrayOf,
  GeneratedFieldType,
  JSON_EXAMPLE,
  jsonOf,
  parseFieldType,
  TYPE_EXAMPLES,
} from './field-types.js';

export interface FieldSpec {
  readonly name: string;
  readonly column: string;
  readonly type: GeneratedFieldType;
  readonly isNullable: boolean;
  readonly isUnique: boolean;
}

/** The names of a resource, in all forms that the code needs. */
export interface Names {
  /** `order-notes`: its folder and path. */
  readonly plural: string;
  /** `order-note`: its files. */
  readonly singular: string;
  /** Whether the base would derive another singular from the plural. */
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
}

/** A resource as the command line describes it. */
export interface ResourceSpec {
  readonly names: Names;
  readonly fields: readonly FieldSpec[];
  /** The path of the resource that its rows belong to: `products`. */
  readonly parent: string | undefined;
  /** Whether each row belongs to the user who created it. */
  readonly isOwned: boolean;
  /** Whether every user may read all rows. Otherwise only staff roles may read all, and owners may read their own. */
  readonly isPublic: boolean;
  readonly versions: readonly string[];
}

export const USAGE = `plinth generate resource <plural> <field:type>… [options]

Writes a module with its migration and tests, and registers it. If a step fails, nothing is written.

  plinth generate resource brands 'name:text(200)' 'country:text(100)?' 'founded:date?'
  plinth generate resource offers 'title:text(200)' 'price:money' --parent products --owner user

A field is name:type. Add [] for an array, or [50] for one of at most 50 items, ? if it may be null, and ! if no two rows
may have the same value. If rows belong to callers by an attribute, their parent or their owner, ! counts only within these.
Types: ${TYPE_EXAMPLES}.

  --parent <plural>   the resource that each row belongs to: /products/{productId}/offers
  --owner user        each row belongs to the user who creates it; this user may read, change and delete it
  --read <who>        who may read all rows: staff, or everyone, which includes users who register themselves.
                      Without it, the command asks on a terminal. Otherwise the default is staff, or everyone if a
                      field is an attribute of defineAccess(), or if such a field of the parent decides who sees it
  --public            the same as --read everyone
  --singular <word>   the singular of the name, if it is irregular: news-item for news
  --versions <n,…>    the versions of the API that serve it; default: all`;

/**
 * Reads the command line.
 *
 * @param served the versions of the API
 * @throws Error if an argument is missing or wrong
 */
export function readResourceSpec(args: readonly string[], served: readonly string[]): ResourceSpec {
  const text = { type: 'string' } as const;
  const options = {
    parent: text,
    owner: text,
    singular: text,
    versions: text,
    read: text,
    public: { type: 'boolean' },
  } as const;
  const { values, positionals } = readArguments(args, options);
  const [kind, plural = '', ...texts] = positionals;
  if (kind !== 'resource' || texts.length === 0)
    throw new Error(
      'plinth generate must be followed by resource <plural> <field:type>…; --help shows examples.',
    );
  const versions = values.versions?.split(',') ?? served;
  const { parent, owner } = values;
  if (versions.some((version) => !served.includes(version)))
    throw new Error(`--versions must contain only ${served.join(',')} (got ${versions.join(',')})`);
  if (owner !== undefined && owner !== 'user')
    throw new Error(
      `--owner must be user (got ${owner}); for rows that belong to another resource, use --parent`,
    );
  const names = deriveNames(plural, values.singular);
  const isPublic = readsEveryone(values);
  return {
    names,
    fields: texts.map((text) => parseField(text, names.entity)),
    parent,
    isOwned: owner === 'user',
    isPublic,
    versions,
  };
}

/** @throws Error if the options contradict each other, or name somebody else */
function readsEveryone({ read, public: isPublic }: { read?: string; public?: boolean }): boolean {
  if (read !== undefined && read !== 'staff' && read !== 'everyone')
    throw new Error(`--read must be staff or everyone (got ${read})`);
  if (isPublic && read === 'staff') throw new Error('--read staff cannot be combined with --public');
  return isPublic === true || read === 'everyone';
}

/** Whether a name can be part of a path: words of lower-case letters and digits, joined by `-`. */
const isName = (name: string): boolean =>
  /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/.test(name) && name.length <= 40;

/** `order-note` → `OrderNote`. */
const pascal = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `OrderNote` → `orderNote`. */
export const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

const upper = (name: string): string => name.replaceAll('-', '_').toUpperCase();

/** `inStock` → `in_stock`. */
export const toColumnName = (property: string): string =>
  property.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

function deriveNames(plural: string, one: string | undefined): Names {
  const singular = one ?? pluralize.singular(plural);
  const refused = [plural, singular].find((name) => !isName(name));
  if (refused !== undefined)
    throw new Error(
      'a name must consist of words of lower-case letters and digits joined by -, such as brands or order-notes, and have ' +
        `at most 40 characters (got ${refused})`,
    );
  if (singular === plural || (one === undefined && !pluralize.isPlural(plural)))
    throw new Error(
      `the name must be a plural, such as brands (got ${plural}); pass the singular as --singular if it is irregular`,
    );
  return {
    plural,
    singular,
    isIrregular: singular !== toSingular(plural),
    entity: pascal(singular),
    collection: pascal(plural),
    code: upper(singular),
    constant: upper(plural),
    table: plural.replaceAll('-', '_'),
  };
}

/** Field names that have another meaning in every resource, in every list or in JavaScript. */
const TAKEN_FIELDS =
  /^(?:id|version|createdAt|updatedAt|deletedAt|sort|page|limit|cursor|q|constructor|then)$/;

const FIELD = /^([a-z][a-zA-Z0-9]{0,49}):([a-z]+)(?:\((.*)\))?(?:(\[)([1-9]\d{0,2})?\])?(\??!?)$/;

/** @param owner the class to which the field belongs */
function parseField(text: string, owner: string): FieldSpec {
  const [, name = '', type = '', parameters, bracket, maxItems = '', marks = ''] = FIELD.exec(text) ?? [];
  if (name === '')
    throw new Error(
      `a field must be name:type, such as inStock:boolean; it may end with ?, ! or ?! (got ${text})`,
    );
  if (TAKEN_FIELDS.test(name))
    throw new Error(
      `${text}: the name ${name} has another meaning in every resource, in every list or in JavaScript`,
    );
  try {
    const isNullable = marks.includes('?');
    const isUnique = marks.includes('!');
    const one =
      type === 'json'
        ? jsonOf(parseMembers(parameters, owner + pascal(name)), owner + pascal(name))
        : parseFieldType(type, parameters);
    if (isUnique && (bracket || one.members || one.refersTo))
      throw new Error('an array, JSON or a reference cannot be unique');
    const whole = bracket ? arrayOf(one, maxItems) : one;
    return { name, column: toColumnName(name), type: whole, isNullable, isUnique };
  } catch (error) {
    throw new Error(`${text}: ${(error as Error).message}`, { cause: error });
  }
}

/** Reads the members of JSON, which are separated by commas. A comma in parentheses belongs to a type. */
function parseMembers(text: string | undefined, className: string): FieldSpec[] {
  if (!text) throw new Error(`the type must be written like ${JSON_EXAMPLE}`);
  const members = text.split(/,(?![^(]*\))/).map((member) => parseField(member, className));
  if (members.some(({ isUnique, type }) => isUnique || type.members || type.refersTo))
    throw new Error('a member of JSON must be neither unique nor JSON nor a reference');
  return members;
}
