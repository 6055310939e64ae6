import { HttpException } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { ValidationError } from 'class-validator';

import { decimalsOf, writtenNumber } from '../http/body/json-text.js';
import { ErrorDetail, shortened } from '../http/errors/api-error.js';
import { FAULTS, MAX_FAULTS } from './faults.js';
import { described, Dto } from './field.js';
import { isStorable, withDecimals } from './rules.js';
import { codeOf, isObject, Json, MAX_ITEMS, Nested, Property, shapeOf, TYPES, ValueType } from './shape.js';

export const UNSTORABLE = 'takes text without NUL and unpaired surrogates';

/** Makes instances of DTOs, and collects all faults. Unknown fields go first: each costs class-transformer a walk of all. */
export class DtoReader {
  readonly faults: ErrorDetail[] = [];
  private readonly known = new Set<string>();
  /** Fields of which rules have nothing to add. */
  private readonly judged = new Set<string>();
  private unknown = 0;
  /** Whether class-validator has to look for unknown fields: in objects that a `@Transform()` makes. */
  isStrict = false;

  /**
   * @param isText all values are texts, as in a query, a path or a form
   * @param isAlone nothing else reads from the same object. A hook judges the names in a query (`query-string.ts`).
   */
  constructor(
    private readonly isText = false,
    private readonly isAlone = true,
  ) {}

  /**
   * @param path of the object in the body: empty, or with a point behind it
   * @param discriminator a member that has told the class, and is no property of it
   */
  read<T extends object>(dto: Dto<T>, body: Json, path = '', discriminator?: string): T {
    const { properties, names, ignored, defaults, hasTransforms } = shapeOf(dto);
    const plain: Record<string, unknown> = {};
    const whole: Record<string, unknown> = {};
    for (const name of Object.keys(body)) {
      const property = properties.get(name);
      if (name === discriminator) continue;
      if (property) {
        const value = this.valueOf(property, body, path + name);
        if (value === undefined) continue;
        // Whatever has a structure of its own is kept from class-transformer, which would walk and copy it.
        if (isFlat(value) || isMade(property)) plain[name] = value;
        else {
          whole[property.name] = value;
          // A `@Transform()` of another property may look at it.
          if (hasTransforms && !isWide(body[name])) Object.defineProperty(plain, name, { value: body[name] });
        }
      } else if (this.isAlone && !ignored.has(name) && this.unknown++ < MAX_FAULTS) {
        const message = `is unknown; the fields are ${names}`;
        this.faults.push({ field: path + shortened(name, 40), code: 'UNKNOWN_FIELD', message });
      }
    }
    const instance = Object.assign(this.instanceOf(dto, plain, path), whole);
    for (const [name, value] of defaults)
      if (instance[name] === undefined) Object.assign(instance, { [name]: value });
    return instance;
  }

  /** Makes the instance. A `@Transform()` may make what is wanted of a value of another type, or fail with it. */
  private instanceOf<T extends object>(dto: Dto<T>, plain: Record<string, unknown>, path: string) {
    const make = () => plainToInstance(dto, plain) as T & Record<string, unknown>;
    const { properties, hasTransforms } = shapeOf(dto);
    if (!hasTransforms) return make();
    const given = Object.entries(plain).flatMap(([name, value]) => {
      const property = properties.get(name) as Property;
      const isOdd = !property.is(this.typed(value, property));
      return property.transforms.isTransformed ? [{ name, value, property, isOdd }] : [];
    });
    let instance: ReturnType<typeof make>;
    try {
      instance = make();
    } catch (error) {
      const odd = given.filter(({ isOdd }) => isOdd);
      // A failure with a value of the declared type is a bug; an exception that a transformation throws is an answer.
      if (odd.length === 0 || error instanceof HttpException) throw error;
      for (const { name, property, value } of odd) {
        Reflect.deleteProperty(plain, name);
        this.refuseType(property, value, path + name);
      }
      instance = make();
    }
    for (const { name, value, property, isOdd } of given) {
      const result = instance[property.name];
      if (isOdd && result === value) this.refuseType(property, value, path + name);
      else if (typeof result === 'string' || Array.isArray(result))
        Object.assign(instance, { [property.name]: this.typed(result, property) });
    }
    return instance;
  }

  collect(errors: readonly ValidationError[], path = ''): void {
    for (const error of errors) {
      const { byName } = shapeOf(error.target?.constructor as Dto);
      const field = path + (byName.get(error.property)?.transforms.wireName ?? error.property);
      if (this.judged.has(field)) continue;
      for (const [name, message] of Object.entries(error.constraints ?? {})) {
        const code = faultCodeOf(error, name);
        // Only REQUIRED is reported for a missing field. Wrong types were reported above.
        if (name === 'nestedValidation' || (code !== 'REQUIRED' && error.value === undefined)) continue;
        this.add(field, code, code === 'REQUIRED' ? 'is missing, and required' : message);
      }
      this.collect(error.children ?? [], `${field}.`);
    }
  }

  /** The value of a property; `undefined` where it has a fault that rules cannot add to. */
  private valueOf(property: Property, body: Json, path: string): unknown {
    const { field, nested, type, transforms } = property;
    const given = body[transforms.wireName];
    if (!field && !isStorable(given)) {
      this.refuse(path, 'BAD_CHARACTER', UNSTORABLE);
      return undefined;
    }
    if (isMade(property) && isWide(given)) {
      this.refuse(path, 'TOO_MANY', `takes objects of at most ${MAX_ITEMS} members`);
      return undefined;
    }
    const written = field && writtenNumber(body, transforms.wireName);
    if (written !== undefined) this.judgeWritten(written, property, path);
    if (transforms.isTransformed) {
      this.isStrict ||= nested !== undefined;
      return Array.isArray(given) ? this.members(given, property, path).map(([, item]) => item) : given;
    }
    const value = this.typed(given, property);
    if (value !== undefined && !property.is(value)) {
      this.refuseType(property, value, path);
      return undefined;
    }
    if (Array.isArray(value)) {
      const items =
        nested || !field ? this.items(this.members(value, property, path), property, body, path) : value;
      return nested && transforms.made?.reflectedType === Set ? new Set(items) : items;
    }
    if (isObject(value) && transforms.made?.reflectedType === Map) {
      const members = this.members(value, property, path);
      const items = this.items(members, property, body, path);
      const entries = members.map(([name], index) => [name, items[index]] as const);
      return nested ? new Map(entries) : Object.fromEntries(entries);
    }
    if (nested && isObject(value)) return this.object(nested, value, body, path);
    return type === 'date' && typeof value === 'string' && !field ? dateOf(value) : value;
  }

  /** The members of an array or an object. What lies beyond the bound is not looked at, and so costs nothing. */
  private members(value: object, { maxItems }: Property, path: string): [name: string, item: unknown][] {
    const all = Object.entries(value);
    if (all.length > maxItems)
      this.add(path, 'TOO_MANY', `got ${described(value)}, takes at most ${maxItems} items`);
    return all.slice(0, maxItems);
  }

  private items(
    members: readonly [name: string, item: unknown][],
    { nested, itemType }: Property,
    body: Json,
    path: string,
  ): unknown[] {
    return members.map(([name, item]) => {
      const field = `${path}.${shortened(name, 40)}`;
      const type = nested ? 'object' : itemType;
      if (type !== undefined && !TYPES[type].is(item)) {
        if (!nested) this.judged.add(path);
        this.refuse(field, 'WRONG_TYPE', `got ${described(item)}, takes ${TYPES[type].typeName}`);
        return null;
      }
      if (nested) return this.object(nested, item as Json, body, field) ?? null;
      return itemType === 'date' ? dateOf(item as string) : item;
    });
  }

  /** Reads an object as an instance of its class. @param parent the object that it is in */
  private object(nested: Nested, value: Json, parent: Json, path: string): object | undefined {
    const type = nested.classOf(value, parent);
    const { property = '', names = [], isKept = true } = nested.discriminator ?? {};
    const told = value[property];
    // One that names no class is of that of `@Type()`, as in class-transformer, unless nothing of it would be left.
    const isOther = nested.discriminator !== undefined && !names.some((name) => name === told);
    const isLost = told !== undefined && !isKept;
    if (isOther && (isLost || !hasOthers(type, property))) {
      const code = told === undefined ? 'REQUIRED' : 'NOT_ALLOWED';
      this.refuse(`${path}.${property}`, code, `got ${described(told)}, takes one of ${names.join(', ')}`);
    } else if (!type) this.refuse(path, 'NOT_ALLOWED', 'is of no type that is known');
    else return this.read(type, value, `${path}.`, isKept ? undefined : property);
    return undefined;
  }

  private typed(value: unknown, property: Property): unknown {
    return this.isText ? typedByText(value, property) : value;
  }

  /** Judges a number as it was written, where rounding hides its fault: `19.9900000000000000001` as money. */
  private judgeWritten(written: string, { field }: Property, path: string): void {
    const { decimals, typeName = '' } = field?.kind ?? {};
    if (decimals === undefined || decimalsOf(written) <= decimals) return;
    const got = `got ${shortened(written, 40)}, takes`;
    if (decimals === 0) this.refuse(path, 'WRONG_TYPE', `${got} ${typeName}`);
    else this.add(path, 'TOO_PRECISE', `${got} ${withDecimals(decimals)}`);
  }

  private refuseType({ field, takes }: Property, value: unknown, path: string): void {
    this.refuse(path, 'WRONG_TYPE', `got ${described(value, field?.options)}, takes ${takes}`);
  }

  private refuse(field: string, code: string, message: string): void {
    this.judged.add(field);
    this.add(field, code, message);
  }

  private add(field: string, code: string, message: string): void {
    const key = `${field} ${code}`;
    if (this.known.has(key)) return;
    this.known.add(key);
    this.faults.push({ field, code, message });
  }
}

function faultCodeOf({ target, property, value, contexts }: ValidationError, name: string): string {
  if (name in FAULTS) return name;
  if (name === 'whitelistValidation') return 'UNKNOWN_FIELD';
  if (value === undefined) return 'REQUIRED';
  const { rules = [] } = shapeOf(target?.constructor as Dto).byName.get(property) ?? {};
  const rule = rules.find((candidate) => candidate.name === name);
  // class-validator gives an error the contexts of some of its rules only.
  const { code } = (rule?.context ?? contexts?.[name] ?? {}) as { code?: unknown };
  if (typeof code === 'string') return code;
  return value === null ? 'WRONG_TYPE' : codeOf(name, value, rule?.constraints ?? []);
}

/** Whether class-transformer has to see the value: decorators of it say how it is made. */
const isMade = ({ nested, transforms: { isTransformed, made } }: Property): boolean =>
  isTransformed || (made !== undefined && !nested);

/** Whether an object in a value has more members than class-transformer gets through in a moment. */
function isWide(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value);
  return (!Array.isArray(value) && members.length > MAX_ITEMS) || members.some(isWide);
}

const hasOthers = (type: Dto | undefined, name: string): boolean =>
  type !== undefined && [...shapeOf(type).properties.keys()].some((other) => other !== name);

const isFlat = (value: unknown): boolean =>
  Array.isArray(value) ? value.every((item) => typeof item !== 'object') : typeof value !== 'object';

/** ISO 8601, a day or a point in time, which is in UTC without an offset. Anything else is an invalid date, which no rule takes. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

function dateOf(text: string): Date {
  const found = DATE.exec(text);
  // JavaScript takes a day alone for UTC, and a time without an offset for the zone of the machine.
  return new Date(found ? text + (found[1] || text.length === 10 ? '' : 'Z') : NaN);
}

/** A parameter as the value of a property: a list may be there once. */
function typedByText(given: unknown, { type, itemType }: Property): unknown {
  if (type !== 'array') return fromText(given, type);
  return [given].flat().map((item) => fromText(item, itemType));
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** The value that a text stands for; the text itself where it stands for none of that type. */
export function fromText(text: unknown, type: ValueType | undefined): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'number' && NUMBER.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
