import { decimalsOf } from '../http/body/decimal-text.js';
import { writtenNumber } from '../http/body/json-numbers.js';
import { Fault } from './faults.js';
import { Declaration, FieldKind, wrongTypeOf } from './field.js';
import { readStock } from './read-stock.js';
import { isObject, Json, nameOf, Reader, setAside } from './reader.js';
import { withDecimals } from './rules.js';
import { Property, shapeOf } from './shape.js';
import { Verdict } from './verdict.js';

/**
 * A copy of the body that holds declared fields of the right type and nothing else. The server's own fields are left
 * out; those that nobody knows and those of the wrong type become faults.
 */
export function keepDeclared(body: Json, reader: Reader): Record<string, unknown> {
  const { dto, representation, path, verdict, dropsUnknown } = reader;
  const declared = shapeOf(dto).properties;
  const owned = representation && shapeOf(representation).properties;
  let unknown: string | undefined;
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(body)) {
    const property = declared.get(name);
    if (property) {
      keepOne(kept, name, property, { body, owned: owned?.get(name)?.field, reader });
      continue;
    }
    if (dropsUnknown || owned?.has(name)) continue;
    unknown ??= unknownField(declared.keys());
    verdict.faults.push({ field: path + shortened(name, 40), code: 'UNKNOWN_FIELD', message: unknown });
  }
  return kept;
}

interface Source {
  readonly body: Json;
  /** The field of the representation. */
  readonly owned: Declaration | undefined;
  readonly reader: Reader;
}

function keepOne(kept: Record<string, unknown>, name: string, property: Property, source: Source): void {
  const { body, reader, owned } = source;
  const { path, verdict } = reader;
  const field = path + name;
  if (property.transform || !property.field) {
    readStock(kept, name, property, { ...reader, path: field, body, keep: keepDeclared });
    return;
  }
  const value = body[name];
  const { kind } = property.field;
  const fault = typeFaultOf(value, property.field) ?? roundingFaultOf(writtenNumber(body, name), kind);
  if (fault) verdict.judge({ field, ...fault });
  if (fault?.code === 'WRONG_TYPE') return;
  if (typeof value === 'object' && value !== null && !kind.nested) setAside(kept, name, value, verdict);
  else kept[name] = keepNested(value, kind, { ...reader, representation: owned?.kind.nested, path: field });
}

/**
 * Gives an instance the values that were set aside while it was made of `kept`, and so down to the last of its items.
 */
export function putBack(instance: object, kept: object, { whole }: Pick<Verdict, 'whole'>): void {
  if (whole.size === 0) return;
  for (const [name, value] of whole.get(kept) ?? []) (instance as Record<string, unknown>)[name] = value;
  for (const [name, value] of Object.entries(kept) as [string, unknown][]) {
    const copy = (instance as Record<string, unknown>)[name];
    if (typeof value === 'object' && value !== null && typeof copy === 'object' && copy !== null)
      putBack(copy, value, { whole });
  }
}

type FieldFault = Pick<Fault, 'code' | 'message'>;

function typeFaultOf(value: unknown, field: Declaration): FieldFault | undefined {
  const message = wrongTypeOf(value, field);
  return message === undefined ? undefined : { code: 'WRONG_TYPE', message };
}

/** The fault of a number as it was written, where rounding hides it: `19.9900000000000000001` as money. */
function roundingFaultOf(
  written: string | undefined,
  { decimals, typeName }: FieldKind<unknown>,
): FieldFault | undefined {
  if (written === undefined || decimals === undefined || decimalsOf(written) <= decimals) return undefined;
  const got = `got ${shortened(written, 40)}, takes`;
  return decimals === 0
    ? { code: 'WRONG_TYPE', message: `${got} ${typeName}` }
    : { code: 'TOO_PRECISE', message: `${got} ${withDecimals(decimals)}` };
}

function keepNested(
  value: unknown,
  { nested: dto, schema, rules }: FieldKind<unknown>,
  { path, ...reader }: Reader,
): unknown {
  if (!dto) return value;
  const { verdict } = reader;
  if (isObject(value)) return keepDeclared(value, { ...reader, dto, path: `${path}.` });
  if (!Array.isArray(value)) return value;
  const { maxItems = value.length } = schema;
  if (value.length > maxItems) {
    const takes = rules.find(({ code }) => code === 'TOO_MANY')?.violated(value) ?? `at most ${maxItems}`;
    const message = `got an array of ${value.length}, takes ${takes}`;
    verdict.faults.push({ field: path, code: 'TOO_MANY', message });
  }
  // What lies beyond is not looked at: a list of any length costs no more than a full one.
  return value.slice(0, maxItems).map((item: unknown, index) => {
    const field = `${path}.${index}`;
    if (isObject(item)) return keepDeclared(item, { ...reader, dto, path: `${field}.` });
    verdict.judge({ field, code: 'WRONG_TYPE', message: `is ${nameOf(item)}, takes an object` });
    return {};
  });
}

const unknownField = (declared: Iterable<string>): string =>
  `is unknown; the fields are ${shortened([...declared].join(', '), 200)}`;

const shortened = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max)}…` : text;
