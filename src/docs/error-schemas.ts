import { FaultCode, FAULTS } from '../fields/faults.js';
import { ErrorBody, ErrorDetail } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { ExampleObject, ReferenceObject, SchemaObject } from './openapi-types.js';

const CODE: SchemaObject = {
  type: 'string',
  pattern: '^[A-Z][A-Z0-9_]*$',
  description: 'For programs; never changes.',
  example: 'PRODUCT_NOT_FOUND',
};
const MESSAGE: SchemaObject = {
  type: 'string',
  description: 'For people; may change.',
  example: 'There is no such product. (id 42)',
};
const STATUS: SchemaObject = {
  type: 'integer',
  format: 'int32',
  minimum: 400,
  maximum: 599,
  description: 'The HTTP status.',
  example: 404,
};

const envelope = (properties: Record<string, SchemaObject>): SchemaObject => ({
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'status', ...Object.keys(properties)],
      additionalProperties: false,
      properties: { code: CODE, message: MESSAGE, status: STATUS, ...properties },
    },
  },
});

const DETAIL: SchemaObject = {
  type: 'object',
  required: ['field', 'code', 'message'],
  additionalProperties: false,
  properties: {
    field: {
      type: 'string',
      description: 'A dotted path into the body, or the name of a parameter.',
      example: 'price',
    },
    code: {
      type: 'string',
      pattern: '^[A-Z][A-Z0-9_]*$',
      description: `The rule that was broken: ${Object.keys(FAULTS).join(', ')}, or one of the resource's own.`,
      example: 'TOO_SMALL',
    },
    message: { type: 'string', description: 'For people; may change.', example: 'got -1, takes at least 0' },
  },
};

/** The envelope of every error, without and with details. */
export const ERROR_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  Error: envelope({}),
  ErrorWithDetails: envelope({ details: { type: 'array', items: DETAIL } }),
};

const fault = (field: string, code: FaultCode, message: string): ErrorDetail[] => [{ field, code, message }];

/** The contents of `details`, for errors about individual fields. */
const DETAILS: Readonly<Record<string, ErrorDetail[]>> = {
  VALIDATION_FAILED: fault('name', 'REQUIRED', 'is missing, and required'),
  UNPROCESSABLE_ENTITY: fault('price', 'TOO_SMALL', 'got -1, takes at least 0'),
  INVALID_ID: fault('id', 'WRONG_TYPE', 'got "abc", takes a positive integer'),
  INVALID_QUERY: fault('limit', 'WRONG_TYPE', 'got "abc", takes an integer'),
  INVALID_SORT: fault('sort', 'NOT_ALLOWED', 'got "price:up", takes price:asc or price:desc'),
  INVALID_CURSOR: fault('cursor', 'NOT_ALLOWED', 'was changed, or is of another list, filter or sort'),
};

/** An example of each kind of error, by its code. */
export function errorExamples(types: readonly ErrorType[]): Record<string, ExampleObject> {
  return Object.fromEntries(types.map((type) => [type.code, { summary: type.summary, value: bodyOf(type) }]));
}

/** References to the examples of some kinds of errors. */
export function exampleReferences(types: readonly ErrorType[]): Record<string, ReferenceObject> {
  return Object.fromEntries(types.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }]));
}

function bodyOf({ code, status, summary }: ErrorType): ErrorBody {
  const details = DETAILS[code];
  const message = details?.map((detail) => `${detail.field}: ${detail.message}`).join('; ') ?? summary;
  const hasDetails = status === 400 || status === 422;
  return { error: { code, message, status, ...(hasDetails && { details: details ?? [] }) } };
}
