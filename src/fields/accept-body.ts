import { writtenNumber } from '../http/body/json-numbers.js';
import { appliedRulesOf, isCopiedByName, NESTED, typeOf } from './class-metadata.js';
import { Declaration, Dto, fieldsOf, FieldKind, isOptional, wrongTypeOf } from './field.js';
import { isObject, Json } from './reader.js';
import { ruleAdditions } from './remembered-rules.js';
import { shapeOf } from './shape.js';

/** A field as its value is checked. */
interface CheckedField {
  readonly name: string;
  readonly field: Declaration;
  readonly isRequired: boolean;
}

/** A class all of whose rules are those of its field decorators. */
interface PlainClass {
  readonly fields: readonly CheckedField[];
  readonly names: ReadonlySet<string>;
}

/** How a body is read: the part of a `PayloadShape` that decides whether it is accepted. */
interface AcceptedShape<T extends object> {
  readonly dto: Dto<T>;
  readonly representation: Dto | undefined;
  readonly dropsUnknown?: boolean;
  /** Options of class-validator: where there are any, the body is left to it. */
  readonly rules?: object;
}

/**
 * Reads a body in which everything is right, by the fields that its class declares. class-transformer and
 * class-validator would read it as the same; they are needed to say what is wrong, and where a class has rules of its
 * own.
 *
 * @returns `undefined` where the body may have a fault, or its class is not made of fields alone
 */
export function acceptBody<T extends object>(body: unknown, shape: AcceptedShape<T>): T | undefined {
  if (!isObject(body) || hasOptions(shape.rules)) return undefined;
  const payload = accept(body, shape);
  if (payload) fillAbsent(payload, shape.dto);
  return payload;
}

function accept<T extends object>(body: Json, shape: AcceptedShape<T>): T | undefined {
  const plain = plainClassOf(shape.dto);
  if (!plain || !isKnown(body, plain, shape)) return undefined;
  const payload = new shape.dto();
  const values = payload as Record<string, unknown>;
  for (const { name, field, isRequired } of plain.fields) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value === undefined) {
      if (isRequired) return undefined;
      continue;
    }
    const { kind } = field;
    if (wrongTypeOf(value, field) !== undefined) return undefined;
    if (kind.decimals !== undefined && writtenNumber(body, name) !== undefined) return undefined;
    const taken = kind.nested && value !== null ? acceptNested(value, name, kind, shape) : value;
    if (taken === undefined || (taken !== null && !isRight(taken, kind))) return undefined;
    values[name] = taken;
  }
  return payload;
}

/** Whether a body has no fields but those of its class, and those that are ignored. */
function isKnown(
  body: Json,
  { names }: PlainClass,
  { representation, dropsUnknown }: AcceptedShape<object>,
): boolean {
  if (dropsUnknown) return true;
  return Object.keys(body).every(
    (name) => names.has(name) || (representation && shapeOf(representation).properties.has(name)),
  );
}

const isRight = (value: unknown, { rules }: FieldKind<unknown>): boolean =>
  rules.every(({ violated }) => violated(value) === undefined);

/** The instance of a nested value, or an array of them; `undefined` where one may have a fault. */
function acceptNested(
  value: unknown,
  name: string,
  { nested, schema }: FieldKind<unknown>,
  { representation, dropsUnknown }: AcceptedShape<object>,
): unknown {
  const owned = representation && shapeOf(representation).properties.get(name)?.field?.kind.nested;
  const shape = { dto: nested as Dto, representation: owned, dropsUnknown: dropsUnknown === true };
  if (isObject(value)) return accept(value, shape);
  if (!Array.isArray(value) || value.length > (schema.maxItems ?? value.length)) return undefined;
  const items: object[] = [];
  for (const item of value as unknown[]) {
    const taken = isObject(item) ? accept(item, shape) : undefined;
    if (!taken) return undefined;
    items.push(taken);
  }
  return items;
}

/** Gives absent fields their defaults, and so down to the last item: rules judge values without them. */
function fillAbsent(payload: object, dto: Dto): void {
  const values = payload as Record<string, unknown>;
  for (const { name, field } of plainClassOf(dto)?.fields ?? []) {
    const { kind, options } = field;
    const value = values[name];
    if (value === undefined) {
      if ('default' in options) values[name] = options.default;
    } else if (kind.nested && value !== null) {
      for (const item of Array.isArray(value) ? (value as object[]) : [value]) fillAbsent(item, kind.nested);
    }
  }
}

function hasOptions(rules: object | undefined): boolean {
  for (const _ in rules) return true;
  return false;
}

let plainClasses = new WeakMap<Dto, { readonly plain: PlainClass | undefined }>();
let knownAdditions = 0;

/** The checks of a class; `undefined` where its fields do not tell all. Worked out once, until rules are added. */
function plainClassOf(dto: Dto): PlainClass | undefined {
  if (knownAdditions !== ruleAdditions()) {
    knownAdditions = ruleAdditions();
    plainClasses = new WeakMap();
  }
  let known = plainClasses.get(dto);
  if (!known) plainClasses.set(dto, (known = { plain: findPlain(dto) }));
  return known.plain;
}

function findPlain(dto: Dto): PlainClass | undefined {
  const { byName } = shapeOf(dto);
  const fields = [...fieldsOf(dto)].map(([name, field]) => ({
    name,
    field,
    isRequired: !isOptional(field.options),
  }));
  const names = fields.map(({ name }) => name);
  // A property that each instance has from the start, or by an accessor, class-transformer treats in ways of its own.
  const fresh = new dto();
  const isPlain =
    byName.size === fields.length &&
    isCopiedByName(dto, names) &&
    fields.every(
      ({ name, field }) => !(name in fresh) && !byName.get(name)?.transform && isTypePlain(dto, name, field),
    ) &&
    hasOnlyRulesOf(dto, fields);
  return isPlain ? { fields, names: new Set(names) } : undefined;
}

/** Whether `@Type()` says nothing but what the field declares. */
function isTypePlain(dto: Dto, name: string, { kind }: Declaration): boolean {
  const type = typeOf(dto, name);
  if (!kind.nested) return type === undefined;
  return type?.typeFunction() === kind.nested && !type.options.discriminator;
}

/** Whether class-validator would apply the rules of the fields, and no other. */
function hasOnlyRulesOf(dto: Dto, fields: readonly CheckedField[]): boolean {
  const rules = new Set(appliedRulesOf(dto));
  for (const { name, field } of fields) {
    const { kind } = field;
    const expected = ['REQUIRED', 'WRONG_TYPE', ...kind.rules.map(({ code }) => code as string)];
    if (kind.nested) expected.push(NESTED);
    for (const rule of rules) {
      if (rule.propertyName !== name) continue;
      const index = expected.indexOf(rule.name ?? rule.type);
      if (index < 0) return false;
      expected.splice(index, 1);
      rules.delete(rule);
    }
    if (expected.length > 0) return false;
  }
  return rules.size === 0;
}
