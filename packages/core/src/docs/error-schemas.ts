import { FaultCode, faultError, FAULT_STATUSES, MAX_FAULTS, NOT_UNIQUE } from '../fields/faults.js';
import { unsupportedMediaType } from '../http/body/json-body.js';
import { PRECONDITION_MESSAGES } from '../http/caching/preconditions.js';
import { ApiError, ErrorBody, ErrorDetail } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { INVALID_CURSOR_MESSAGE } from '../lists/list-query.js';
import { AnySchema, SchemaObject } from './openapi.js';

const MESSAGE_SCHEMA: SchemaObject = {
  type: 'string',
  description: 'A message for people. Its wording may change.',
};

const ERROR_DETAIL_SCHEMA: SchemaObject = {
  type: 'object',
  description: 'One fault in one field or parameter.',
  required: ['field', 'code', 'message'],
  properties: {
    field: {
      type: 'string',
      description: 'The path of the field in the body, with dots, or the name of the parameter.',
      examples: ['items.0.quantity'],
    },
    code: {
      type: 'string',
      pattern: '^[A-Z][A-Z0-9_]*$',
      description: `The rule that the value breaks: ${[...Object.keys(FAULT_STATUSES), NOT_UNIQUE].join(', ')}, or a code that the resource defines.`,
      examples: ['TOO_SMALL'],
    },
    message: { ...MESSAGE_SCHEMA, examples: ['must be at least 0 (got -1)'] },
  },
};

const DETAILS_PROPERTY: SchemaObject = {
  type: 'array',
  description: 'One entry for each fault. May be empty.',
  maxItems: MAX_FAULTS,
  items: { $ref: '#/components/schemas/ErrorDetail' },
};

/** `PRODUCT_NOT_FOUND` → `ProductNotFoundError`, `INTERNAL_ERROR` → `InternalError`. */
export function errorSchemaName({ code }: Pick<ErrorType, 'code'>): string {
  const words = code.replace(/_ERROR$/, '').split('_');
  return `${words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join('')}Error`;
}

/** The `details` of those errors whose `details` are always the same, by code. */
export type DetailsByCode = Readonly<Record<string, readonly ErrorDetail[]>>;

/**
 * Returns one schema per error type. In a schema the code is a constant, so that the types of generated clients
 * distinguish errors with the same status.
 * @param uniques the `details` of errors that have `details` although their status is neither 400 nor 422
 */
export function errorSchemas(
  types: readonly ErrorType[],
  uniques: DetailsByCode,
): Record<string, SchemaObject> {
  const own = types.map((type) => {
    const { code, status, summary } = type;
    const properties: Record<string, SchemaObject> = {
      code: { type: 'string', const: code },
      message: MESSAGE_SCHEMA,
      status: { type: 'integer', format: 'int32', const: status },
      ...(([400, 422].includes(status) || code in uniques) && { details: DETAILS_PROPERTY }),
    };
    const error = { type: 'object', required: Object.keys(properties), properties };
    const schema = { type: 'object', description: summary, required: ['error'], properties: { error } };
    return [errorSchemaName(type), schema] as const;
  });
  return { ErrorDetail: ERROR_DETAIL_SCHEMA, ...Object.fromEntries(own) };
}

/**
 * Returns the schema of a response that can be any of these errors. The schema cannot use `discriminator`, because the
 * code is not a property at the top level.
 */
export function anyErrorSchema(types: readonly ErrorType[]): AnySchema {
  const all = types.map((type) => ({ $ref: `#/components/schemas/${errorSchemaName(type)}` }));
  return all.length === 1 && all[0] ? all[0] : { anyOf: all };
}

const fault = (field: string, code: FaultCode, message: string): ErrorDetail[] => [{ field, code, message }];

const EXAMPLE_DETAILS: Readonly<Record<string, ErrorDetail[]>> = {
  VALIDATION_FAILED: fault('name', 'REQUIRED', 'is required'),
  UNPROCESSABLE_ENTITY: fault('price', 'TOO_SMALL', 'must be at least 0 (got -1)'),
  INVALID_ID: fault('id', 'WRONG_TYPE', 'must be a positive integer (got "abc")'),
  INVALID_QUERY: fault('limit', 'WRONG_TYPE', 'must be an integer (got "abc")'),
  INVALID_SORT: fault('sort', 'NOT_ALLOWED', 'must be price:asc or price:desc (got "price:up")'),
  INVALID_CURSOR: fault('cursor', 'NOT_ALLOWED', INVALID_CURSOR_MESSAGE),
};

/** Example messages of errors whose message depends on the request. */
const EXAMPLE_MESSAGES: Readonly<Record<string, string>> = {
  PRECONDITION_FAILED: PRECONDITION_MESSAGES['If-Match'],
  UNSUPPORTED_MEDIA_TYPE: unsupportedMediaType('text/plain', undefined).message,
};

/** Returns the example of an error for the document. */
export function errorExample(type: ErrorType, uniques: DetailsByCode): { summary: string; value: ErrorBody } {
  const faults = EXAMPLE_DETAILS[type.code];
  const details = uniques[type.code];
  const error = faults
    ? faultError(type, faults)
    : new ApiError(type, EXAMPLE_MESSAGES[type.code], { details });
  return { summary: type.summary, value: error.toBody() };
}
