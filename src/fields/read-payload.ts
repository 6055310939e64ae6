import { plainToInstance } from 'class-transformer';
import { ValidationError, validateSync } from 'class-validator';

import { decimalsOf } from '../http/body/decimal-text.js';
import { writtenNumber } from '../http/body/json-numbers.js';
import { ApiError } from '../http/errors/api-error.js';
import { INVALID_JSON } from '../http/errors/http.errors.js';
import { bodyError, Fault, FaultCode } from './faults.js';
import { Declaration, Dto, FieldKind, fieldsOf, wrongTypeOf } from './field.js';
import { withDecimals } from './rules.js';

/** What a body is read as, and the representation it may have been copied from. */
export interface PayloadShape<T extends object = object> {
  readonly dto: Dto<T>;
  /** Its fields that `dto` does not declare belong to the server: they are ignored, not unknown. */
  readonly representation: Dto | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** What was found wrong so far, and what the rules need not judge again: fields with the codes of their faults. */
interface Verdict {
  readonly faults: Fault[];
  readonly judged: Set<string>;
  /** Values with a structure of their own, by what they belong to: class-transformer would walk and copy them. */
  readonly whole: Map<object, Map<string, object>>;
}

/**
 * Reads a parsed body as an instance of `dto`: all faults at once, defaults filled in. Types are judged first: what is
 * of the wrong one is neither transformed nor walked, whatever it holds.
 *
 * @throws ApiError `INVALID_JSON` where it is no object, `VALIDATION_FAILED` (400) or `UNPROCESSABLE_ENTITY` (422)
 */
export function readPayload<T extends object>(body: unknown, shape: PayloadShape<T>): T {
  if (!isObject(body))
    throw new ApiError(INVALID_JSON, `The body is ${nameOf(body)}; it takes a JSON object.`);
  const verdict: Verdict = { faults: [], judged: new Set(), whole: new Map() };
  const known = keepDeclared(body, shape.dto, shape.representation, '', verdict);
  const payload = plainToInstance(shape.dto, known);
  putBack(payload, known, verdict);
  const options = { validationError: { target: false }, forbidUnknownValues: false };
  collect(validateSync(payload, options), '', verdict);
  if (verdict.faults.length > 0) throw bodyError(verdict.faults);
  return fillDefaults(payload, shape.dto);
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function nameOf(body: unknown): string {
  if (body === undefined) return 'empty';
  if (body === null) return 'null';
  return Array.isArray(body) ? 'an array' : `a ${typeof body}`;
}

/**
 * A copy of the body that holds declared fields of the right type and nothing else. The server's own fields are left
 * out; those that nobody knows and those of the wrong type become faults.
 */
function keepDeclared(
  body: Json,
  dto: Dto,
  representation: Dto | undefined,
  path: string,
  verdict: Verdict,
): Record<string, unknown> {
  const declared = fieldsOf(dto);
  const owned = representation && fieldsOf(representation);
  let unknown: string | undefined;
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(body)) {
    const field = declared.get(name);
    if (!field) {
      if (owned?.has(name)) continue;
      unknown ??= unknownField(declared.keys());
      verdict.faults.push({ field: path + shortened(name, 40), code: 'UNKNOWN_FIELD', message: unknown });
      continue;
    }
    const value = body[name];
    const fault = typeFaultOf(value, field) ?? roundingFaultOf(writtenNumber(body, name), field.kind);
    if (fault) judge(verdict, { field: path + name, ...fault });
    if (fault?.code === 'WRONG_TYPE') continue;
    if (typeof value === 'object' && value !== null && !field.kind.nested) {
      const others = verdict.whole.get(kept) ?? new Map<string, object>();
      verdict.whole.set(kept, others.set(name, value));
    } else kept[name] = keepNested(value, field.kind, owned?.get(name)?.kind.nested, path + name, verdict);
  }
  return kept;
}

/** Gives an instance the values that were set aside while it was made of `kept`, and so down to the last of its items. */
function putBack(instance: object, kept: object, { whole }: Pick<Verdict, 'whole'>): void {
  if (whole.size === 0) return;
  for (const [name, value] of whole.get(kept) ?? []) (instance as Record<string, unknown>)[name] = value;
  for (const [name, value] of Object.entries(kept) as [string, unknown][]) {
    const copy = (instance as Record<string, unknown>)[name];
    if (typeof value === 'object' && value !== null) putBack(copy as object, value, { whole });
  }
}

type FieldFault = Pick<Fault, 'code' | 'message'>;

function typeFaultOf(value: unknown, field: Declaration): FieldFault | undefined {
  const message = wrongTypeOf(value, field);
  return message === undefined ? undefined : { code: 'WRONG_TYPE', message };
}

/** What is wrong with a number as it was written, where rounding it hides that: `19.9900000000000000001` as money. */
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

/** Adds a fault that was found before the rules are asked: they have nothing to add to it. */
function judge({ faults, judged }: Verdict, fault: Fault): void {
  faults.push(fault);
  judged.add(judgedBy(fault.field, fault.code));
}

const judgedBy = (field: string, code: string): string => `${field} ${code}`;

function keepNested(
  value: unknown,
  { nested: dto, schema, rules }: FieldKind<unknown>,
  owned: Dto | undefined,
  path: string,
  verdict: Verdict,
): unknown {
  if (!dto) return value;
  if (isObject(value)) return keepDeclared(value, dto, owned, `${path}.`, verdict);
  if (!Array.isArray(value)) return value;
  const { maxItems = value.length } = schema;
  if (value.length > maxItems) {
    const takes = rules.find(({ code }) => code === 'TOO_MANY')?.violated(value) ?? `at most ${maxItems}`;
    verdict.faults.push({
      field: path,
      code: 'TOO_MANY',
      message: `got an array of ${value.length}, takes ${takes}`,
    });
  }
  // What lies beyond is not looked at: a list of any length costs no more than a full one.
  return value.slice(0, maxItems).map((item: unknown, index) => {
    const field = `${path}.${index}`;
    if (isObject(item)) return keepDeclared(item, dto, owned, `${field}.`, verdict);
    judge(verdict, { field, code: 'WRONG_TYPE', message: `is ${nameOf(item)}, takes an object` });
    return {};
  });
}

const unknownField = (declared: Iterable<string>): string =>
  `is unknown; the fields are ${shortened([...declared].join(', '), 200)}`;

const shortened = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max)}…` : text;

function collect(errors: readonly ValidationError[], path: string, verdict: Verdict): void {
  for (const error of errors) {
    const field = path + error.property;
    // What is of the wrong type was left out: it would be missing.
    if (verdict.judged.has(judgedBy(field, 'WRONG_TYPE'))) continue;
    for (const [code, message] of Object.entries(error.constraints ?? {})) {
      // class-validator's own complaint about a value that has no fields; its type was judged by ours.
      if (code === 'nestedValidation' || verdict.judged.has(judgedBy(field, code))) continue;
      verdict.faults.push({ field, code: code as FaultCode, message });
    }
    if (error.children?.length) collect(error.children, `${field}.`, verdict);
  }
}

function fillDefaults<T extends object>(payload: T, dto: Dto<T>): T {
  const values = payload as Record<string, unknown>;
  for (const [name, { kind, options }] of fieldsOf(dto)) {
    const value = values[name];
    if (value === undefined && 'default' in options) values[name] = options.default;
    if (!kind.nested || value === undefined || value === null) continue;
    for (const item of [value].flat() as object[]) fillDefaults(item, kind.nested);
  }
  return payload;
}
