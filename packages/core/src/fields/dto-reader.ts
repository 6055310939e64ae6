import { HttpException } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { ValidationError } from 'class-validator';

import { countDecimals, sourceOfNumber } from '../http/body/json-text.js';
import { ErrorDetail } from '../http/errors/api-error.js';
import { truncateText } from '../http/errors/truncate-text.js';
import { FAULT_STATUSES, MAX_FAULTS } from './faults.js';
import { describeValue, Dto, FieldDeclaration, ruleMessage } from './field.js';
import { decimalsRequirement, isStorable, UNSTORABLE_MESSAGE } from './rules.js';
import {
  constraintFaultCode,
  isObject,
  JsonObject,
  DEFAULT_MAX_ITEMS,
  NestedClasses,
  DtoProperty,
  dtoSchemaFor,
  JSON_TYPES,
} from './dto-schema.js';
import { convertParameter, hasTooManyMembers, isFlat, parseIsoDate } from './parse-value.js';

/**
 * Creates instances of DTOs from the values of a request, and collects all faults. It removes unknown fields before
 * class-transformer runs, because class-transformer would search all fields for each unknown one.
 */
export class DtoReader {
  readonly faults: ErrorDetail[] = [];
  private readonly reportedFaults = new Set<string>();
  /**
   * The paths of fields with a fault, such as a wrong type, that makes further checks useless. Errors of rules for
   * these fields are ignored.
   */
  private readonly settledFields = new Set<string>();
  private unknownCount = 0;
  /** Whether class-validator must look for unknown fields, because a `@Transform()` may have created objects. */
  needsWhitelist = false;

  /**
   * @param hasTextValues whether all values are text, as in a query, a path or a form
   * @param rejectsUnknown whether unknown names are faults. In a query they are not, because a hook checks its names
   *   (`query-string.ts`)
   */
  constructor(
    private readonly hasTextValues = false,
    private readonly rejectsUnknown = true,
  ) {}

  /**
   * @param path the path of the object in the body. It is empty for the body itself, and otherwise ends in a dot
   * @param discriminator the name of the member that has determined the class, if the class has no property for it
   */
  read<T extends object>(dto: Dto<T>, body: JsonObject, path = '', discriminator?: string): T {
    const { properties, fieldNames, ignored, defaults, hasTransforms } = dtoSchemaFor(dto);
    const plain: Record<string, unknown> = {};
    const whole: Record<string, unknown> = {};
    for (const name of Object.keys(body)) {
      const property = properties.get(name);
      if (name === discriminator) continue;
      if (property) {
        const value = this.readValue(property, body, path + name);
        if (value === undefined) continue;
        // Nested values bypass class-transformer, because it would walk over them and copy them.
        if (isFlat(value) || needsClassTransformer(property)) plain[name] = value;
        else {
          whole[property.name] = value;
          // A `@Transform()` of another property may read this value.
          if (hasTransforms && !hasTooManyMembers(body[name]))
            Object.defineProperty(plain, name, { value: body[name] });
        }
      } else if (this.rejectsUnknown && !ignored.has(name) && this.unknownCount++ < MAX_FAULTS) {
        const message = `is unknown; the fields are ${fieldNames}`;
        this.faults.push({ field: path + truncateText(name, 40), code: 'UNKNOWN_FIELD', message });
      }
    }
    const instance = Object.assign(this.makeInstance(dto, plain, path), whole);
    for (const [name, value] of defaults)
      if (instance[name] === undefined) Object.assign(instance, { [name]: copyOf(value) });
    return instance;
  }

  /** Creates the instance. If a value has the wrong type, a `@Transform()` may convert the value, or throw an error. */
  private makeInstance<T extends object>(dto: Dto<T>, plain: Record<string, unknown>, path: string) {
    const make = () => plainToInstance(dto, plain) as T & Record<string, unknown>;
    const { properties, hasTransforms } = dtoSchemaFor(dto);
    if (!hasTransforms) return make();
    const given = Object.entries(plain).flatMap(([name, value]) => {
      const property = properties.get(name) as DtoProperty;
      const isOdd = !property.isOfType(this.convertText(value, property));
      return property.transforms.isTransformed ? [{ name, value, property, isOdd }] : [];
    });
    let instance: ReturnType<typeof make>;
    try {
      instance = make();
    } catch (error) {
      const odd = given.filter(({ isOdd }) => isOdd);
      // If all values have their declared types, the error is a bug of the service. An `HttpException` is meant for the
      // client.
      if (odd.length === 0 || error instanceof HttpException) throw error;
      for (const { name, property, value } of odd) {
        Reflect.deleteProperty(plain, name);
        this.rejectType(property, value, path + name);
      }
      instance = make();
    }
    for (const { name, value, property, isOdd } of given) {
      const result = instance[property.name];
      if (isOdd && result === value) this.rejectType(property, value, path + name);
      else if (typeof result === 'string' || Array.isArray(result))
        Object.assign(instance, { [property.name]: this.convertText(result, property) });
    }
    return instance;
  }

  addValidationErrors(errors: readonly ValidationError[], path = ''): void {
    for (const error of errors) {
      const { byPropertyName } = dtoSchemaFor(error.target?.constructor as Dto);
      const property = byPropertyName.get(error.property);
      const field = path + (property?.transforms.jsonName ?? error.property);
      if (this.settledFields.has(field)) continue;
      const ofItems = property?.field?.type.items?.rules.map(({ code }) => code) as string[] | undefined;
      for (const [name, message] of Object.entries(error.constraints ?? {})) {
        // `readItems()` has reported each faulty item.
        if (ofItems?.includes(name)) continue;
        const code = findFaultCode(error, name);
        // For a missing field, only REQUIRED is reported. `read()` has already reported wrong types.
        if (name === 'nestedValidation' || (code !== 'REQUIRED' && error.value === undefined)) continue;
        this.addFault(field, code, code === 'REQUIRED' ? 'is required' : message);
      }
      this.addValidationErrors(error.children ?? [], `${field}.`);
    }
  }

  /** Reads the value of a property. Returns `undefined` if the value has a fault that makes further checks useless. */
  private readValue(property: DtoProperty, body: JsonObject, path: string): unknown {
    const { field, nested, type, transforms } = property;
    const given = body[transforms.jsonName];
    if (!field && !isStorable(given)) {
      this.rejectField(path, 'BAD_CHARACTER', UNSTORABLE_MESSAGE);
      return undefined;
    }
    if (needsClassTransformer(property) && hasTooManyMembers(given)) {
      this.rejectField(path, 'TOO_MANY', `must contain no object of more than ${DEFAULT_MAX_ITEMS} members`);
      return undefined;
    }
    const written = field && sourceOfNumber(body, transforms.jsonName);
    if (written !== undefined) this.checkNumberSource(written, property, path);
    if (transforms.isTransformed) {
      this.needsWhitelist ||= nested !== undefined;
      return Array.isArray(given)
        ? this.boundedEntries(given, property, path).map(([, item]) => item)
        : given;
    }
    const value = this.convertText(given, property);
    if (value !== undefined && !property.isOfType(value)) {
      this.rejectType(property, value, path);
      return undefined;
    }
    if (Array.isArray(value)) {
      const items =
        nested || !field || field.type.items
          ? this.readItems(this.boundedEntries(value, property, path), property, body, path)
          : value;
      return nested && transforms.typeMetadata?.reflectedType === Set ? new Set(items) : items;
    }
    if (isObject(value) && transforms.typeMetadata?.reflectedType === Map) {
      const members = this.boundedEntries(value, property, path);
      const items = this.readItems(members, property, body, path);
      const entries = members.map(([name], index) => [name, items[index]] as const);
      return nested ? new Map(entries) : Object.fromEntries(entries);
    }
    if (nested && isObject(value)) return this.readObject(nested, value, body, path);
    return type === 'date' && typeof value === 'string' && !field ? parseIsoDate(value) : value;
  }

  /** Returns the first `maxItems` members of an array or an object. Further members are a fault, and are never read. */
  private boundedEntries(
    value: object,
    { maxItems }: DtoProperty,
    path: string,
  ): [name: string, item: unknown][] {
    const all = Object.entries(value);
    if (all.length > maxItems)
      this.addFault(path, 'TOO_MANY', `must have at most ${maxItems} items (got ${describeValue(value)})`);
    return all.slice(0, maxItems);
  }

  private readItems(
    members: readonly [name: string, item: unknown][],
    { nested, itemType, field: declared }: DtoProperty,
    body: JsonObject,
    path: string,
  ): unknown[] {
    return members.map(([name, item]) => {
      const field = `${path}.${truncateText(name, 40)}`;
      const type = nested ? 'object' : itemType;
      if (type !== undefined && !JSON_TYPES[type].isOfType(item)) {
        if (!nested) this.settledFields.add(path);
        this.rejectField(
          field,
          'WRONG_TYPE',
          `must be ${JSON_TYPES[type].typeName} (got ${describeValue(item)})`,
        );
        return null;
      }
      if (nested) return this.readObject(nested, item as JsonObject, body, field) ?? null;
      if (declared) this.checkItem(item, declared, field);
      return itemType === 'date' ? parseIsoDate(item as string) : item;
    });
  }

  /** Reads an object as an instance of its class. @param parent the object that contains `value` */
  private readObject(
    nested: NestedClasses,
    value: JsonObject,
    parent: JsonObject,
    path: string,
  ): object | undefined {
    const type = nested.findClass(value, parent);
    const { property = '', names = [], isKept = true } = nested.discriminator ?? {};
    const subType = value[property];
    // If the discriminator names no class, class-transformer uses the class of `@Type()`. Here, this is a fault if the
    // value of the discriminator would be lost, or if the class of `@Type()` has no other properties.
    const isOther = nested.discriminator !== undefined && !names.some((name) => name === subType);
    const isLost = subType !== undefined && !isKept;
    if (isOther && (isLost || !hasOtherProperties(type, property))) {
      const code = subType === undefined ? 'REQUIRED' : 'NOT_ALLOWED';
      this.rejectField(
        `${path}.${property}`,
        code,
        `must be one of ${names.join(', ')} (got ${describeValue(subType)})`,
      );
    } else if (!type) this.rejectField(path, 'NOT_ALLOWED', 'must be of a known type');
    else return this.read(type, value, `${path}.`, isKept ? undefined : property);
    return undefined;
  }

  /** Checks the rules for items, which class-validator reports without the position of the item. */
  private checkItem(item: unknown, { type, options }: FieldDeclaration, path: string): void {
    for (const rule of type.items?.rules ?? [])
      if (!rule.isValid(item)) this.addFault(path, rule.code, ruleMessage(rule, item, options));
  }

  private convertText(value: unknown, property: DtoProperty): unknown {
    return this.hasTextValues ? convertParameter(value, property) : value;
  }

  /** Checks the JSON text of a number, because parsing rounds: `19.9900000000000000001` would become a valid amount. */
  private checkNumberSource(written: string, { field }: DtoProperty, path: string): void {
    const { maxDecimals, typeName = '' } = field?.type ?? {};
    if (maxDecimals === undefined || countDecimals(written) <= maxDecimals) return;
    const got = `(got ${truncateText(written, 40)})`;
    if (maxDecimals === 0) this.rejectField(path, 'WRONG_TYPE', `must be ${typeName} ${got}`);
    else this.addFault(path, 'TOO_PRECISE', `${decimalsRequirement(maxDecimals)} ${got}`);
  }

  private rejectType({ field, expected }: DtoProperty, value: unknown, path: string): void {
    this.rejectField(path, 'WRONG_TYPE', `must be ${expected} (got ${describeValue(value, field?.options)})`);
  }

  private rejectField(field: string, code: string, message: string): void {
    this.settledFields.add(field);
    this.addFault(field, code, message);
  }

  private addFault(field: string, code: string, message: string): void {
    const key = `${field} ${code}`;
    if (this.reportedFaults.has(key)) return;
    this.reportedFaults.add(key);
    this.faults.push({ field, code, message });
  }
}

function findFaultCode({ target, property, value, contexts }: ValidationError, name: string): string {
  if (name in FAULT_STATUSES) return name;
  if (name === 'whitelistValidation') return 'UNKNOWN_FIELD';
  if (value === undefined) return 'REQUIRED';
  const { rules = [] } = dtoSchemaFor(target?.constructor as Dto).byPropertyName.get(property) ?? {};
  const rule = rules.find((candidate) => candidate.name === name);
  // An error of class-validator lacks the contexts of some rules.
  const { code } = (rule?.context ?? contexts?.[name] ?? {}) as { code?: unknown };
  if (typeof code === 'string') return code;
  return value === null ? 'WRONG_TYPE' : constraintFaultCode(name, value, rule?.constraints ?? []);
}

/** Whether class-transformer must convert the value, because the property has decorators of class-transformer. */
const needsClassTransformer = ({
  nested,
  transforms: { isTransformed, typeMetadata },
}: DtoProperty): boolean => isTransformed || (typeMetadata !== undefined && !nested);

const hasOtherProperties = (type: Dto | undefined, name: string): boolean =>
  type !== undefined && [...dtoSchemaFor(type).properties.keys()].some((other) => other !== name);

/** Returns a default value for one instance, which may change it. */
const copyOf = (value: unknown): unknown => (typeof value === 'object' ? structuredClone(value) : value);
