import { plainToInstance } from 'class-transformer';
import { validate, validateSync, ValidatorOptions } from 'class-validator';

import { ApiError } from '../http/errors/api-error.js';
import { INVALID_JSON } from '../http/errors/http.errors.js';
import { acceptBody } from './accept-body.js';
import { bodyError, Fault } from './faults.js';
import { Dto, fieldsOf } from './field.js';
import { keepDeclared, putBack } from './keep-declared.js';
import { isObject, nameOf } from './reader.js';
import { Shape, shapeOf } from './shape.js';
import { rememberRules } from './remembered-rules.js';
import { Verdict } from './verdict.js';

rememberRules();

/** Options of class-validator that say which rules count. */
export type RuleOptions = Pick<
  ValidatorOptions,
  | 'groups'
  | 'always'
  | 'strictGroups'
  | 'skipMissingProperties'
  | 'skipUndefinedProperties'
  | 'skipNullProperties'
>;

/** The DTO that a body is read as, and the representation that it may have been copied from. */
export interface PayloadShape<T extends object = object> {
  readonly dto: Dto<T>;
  /** Its fields that `dto` does not declare belong to the server: they are ignored, not unknown. */
  readonly representation: Dto | undefined;
  /** Fields that nobody knows are left out instead of refused. */
  readonly dropsUnknown?: boolean;
  readonly rules?: RuleOptions;
  /** Makes an error of the faults that were found; left out: 400 or 422 for a body. */
  readonly errorOf?: (faults: readonly Fault[]) => ApiError;
}

/**
 * Reads a parsed body as an instance of `dto`: all faults at once, defaults filled in. Types are judged first: what is
 * of the wrong one is neither transformed nor walked, whatever it holds. For a DTO without asynchronous rules.
 *
 * @throws ApiError `INVALID_JSON` where it is no object, `VALIDATION_FAILED` (400) or `UNPROCESSABLE_ENTITY` (422)
 */
export function readPayload<T extends object>(body: unknown, shape: PayloadShape<T>): T {
  return acceptBody(body, shape) ?? judgePayload(body, shape);
}

/** Reads a body as `readPayload` does, and asks class-validator whatever it is. */
export function judgePayload<T extends object>(body: unknown, shape: PayloadShape<T>): T {
  const reading = begin(body, shape);
  reading.verdict.collect(validateSync(reading.payload, optionsOf(shape)), '', reading.of);
  return end(reading, shape);
}

/** Reads a body as `readPayload` does, at once unless the DTO has rules that may be asynchronous. */
export function readBody<T extends object>(body: unknown, shape: PayloadShape<T>): T | Promise<T> {
  return shapeOf(shape.dto).isAsync ? readSlowly(body, shape) : readPayload(body, shape);
}

async function readSlowly<T extends object>(body: unknown, shape: PayloadShape<T>): Promise<T> {
  const reading = begin(body, shape);
  reading.verdict.collect(await validate(reading.payload, optionsOf(shape)), '', reading.of);
  return end(reading, shape);
}

/** A body that is being read, and what is wrong with it so far. */
interface JudgedPayload<T> {
  readonly payload: T;
  readonly verdict: Verdict;
  readonly of: Shape;
}

function begin<T extends object>(
  body: unknown,
  { dto, representation, dropsUnknown = false }: PayloadShape<T>,
): JudgedPayload<T> {
  if (!isObject(body))
    throw new ApiError(INVALID_JSON, `The body is ${nameOf(body)}; it takes a JSON object.`);
  const verdict = new Verdict();
  const known = keepDeclared(body, { dto, representation, dropsUnknown, path: '', verdict });
  const payload = plainToInstance(dto, known);
  putBack(payload, known, verdict);
  return { payload, verdict, of: shapeOf(dto) };
}

function end<T extends object>(
  { payload, verdict: { faults } }: JudgedPayload<T>,
  { dto, errorOf = bodyError }: PayloadShape<T>,
): T {
  if (faults.length > 0) throw errorOf(faults);
  return fillDefaults(payload, dto);
}

const OPTIONS: ValidatorOptions = { validationError: { target: false }, forbidUnknownValues: false };

const optionsOf = ({ rules }: PayloadShape): ValidatorOptions => (rules ? { ...OPTIONS, ...rules } : OPTIONS);

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
