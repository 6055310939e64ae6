import { FaultCode, FAULTS, MAX_FAULTS } from '../fields/faults.js';
import { ErrorBody, ErrorDetail } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { unsupportedMediaType } from '../http/body/json-body.js';
import { PRECONDITION_MESSAGES } from '../http/caching/preconditions.js';
import { ExampleObject, ReferenceObject, SchemaObject } from './components.js';

const CODE_PATTERN = '^[A-Z][A-Z0-9_]*$';
const MESSAGE: SchemaObject = { type: 'string', description: 'For people. The wording may change.' };

const DETAIL: SchemaObject = {
  type: 'object',
  description: 'One fault of one field or parameter.',
  required: ['field', 'code', 'message'],
  properties: {
    field: {
      type: 'string',
      description: 'A dotted path into the body, or the name of a parameter.',
      example: 'items.0.quantity',
    },
    code: {
      type: 'string',
      pattern: CODE_PATTERN,
      description: `The rule that is broken: ${Object.keys(FAULTS).join(', ')}, or one of the resource’s own.`,
      example: 'TOO_SMALL',
    },
    message: { ...MESSAGE, example: 'got -1, takes at least 0' },
  },
};

const DETAILS_PROPERTY: SchemaObject = {
  type: 'array',
  description: 'What is wrong, one entry for each fault. It may be empty.',
  maxItems: MAX_FAULTS,
  items: { $ref: '#/components/schemas/ErrorDetail' },
};

const envelope = (description: string, error: Record<string, SchemaObject>, required: string[]) =>
  ({
    type: 'object',
    description,
    required: ['error'],
    properties: { error: { type: 'object', required, properties: error } },
  }) satisfies SchemaObject;

/** Every error has this form, those of codes that a client does not know as well. */
const ERROR: SchemaObject = envelope(
  'Any error. `code` is an open set: handle a code that you do not know by its `status`.',
  {
    code: {
      type: 'string',
      pattern: CODE_PATTERN,
      description: 'For programs. A published code keeps its meaning.',
      example: 'PRODUCT_NOT_FOUND',
    },
    message: { ...MESSAGE, example: 'There is no such product. (id 42)' },
    status: {
      type: 'integer',
      format: 'int32',
      minimum: 400,
      maximum: 599,
      description: 'The HTTP status.',
      example: 404,
    },
    details: { ...DETAILS_PROPERTY, description: 'Present with 400 and 422 only.' },
  },
  ['code', 'message', 'status'],
);

/** 400 and 422 say what is wrong, field by field. */
const hasDetails = (status: number): boolean => status === 400 || status === 422;

function schemaOfType({ code, status, summary }: ErrorType): SchemaObject {
  const details = hasDetails(status);
  return envelope(
    summary,
    {
      code: { type: 'string', enum: [code] },
      message: MESSAGE,
      status: { type: 'integer', enum: [status] },
      ...(details && { details: DETAILS_PROPERTY }),
    },
    ['code', 'message', 'status', ...(details ? ['details'] : [])],
  );
}

/** `PRODUCT_NOT_FOUND` → `ProductNotFoundError`, `INTERNAL_ERROR` → `InternalError`. */
export function schemaNameOf({ code }: Pick<ErrorType, 'code'>): string {
  const words = code.replace(/_ERROR$/, '').split('_');
  return `${words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join('')}Error`;
}

const referenceTo = (name: string): ReferenceObject => ({ $ref: `#/components/schemas/${name}` });

/** One schema for each kind of error, a flat object with a literal code and status, beside the form common to all. */
export function errorSchemas(types: readonly ErrorType[]): Record<string, SchemaObject> {
  const own = types.map((type) => [schemaNameOf(type), schemaOfType(type)] as const);
  return { Error: ERROR, ErrorDetail: DETAIL, ...Object.fromEntries(own) };
}

/**
 * The schema of a response that is one of some errors. Their literal codes tell them apart, one level down, in `error`:
 * no place for a `discriminator`, which is a property of the members themselves, nor for `oneOf`, which linters refuse
 * where no property at the top differs. `anyOf` is the same type to generators.
 */
export function unionOf(types: readonly ErrorType[]): SchemaObject | ReferenceObject {
  const [first, ...others] = types.map((type) => referenceTo(schemaNameOf(type)));
  return first && others.length === 0 ? first : { anyOf: [...(first ? [first] : []), ...others] };
}

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

/** Messages that name what was sent, for errors without `details`. */
const MESSAGES: Readonly<Record<string, string>> = {
  PRECONDITION_FAILED: PRECONDITION_MESSAGES['If-Match'],
  UNSUPPORTED_MEDIA_TYPE: unsupportedMediaType('text/plain', undefined).message,
};

function bodyOf({ code, status, summary }: ErrorType): ErrorBody {
  const details = DETAILS[code];
  const message =
    details?.map((detail) => `${detail.field}: ${detail.message}`).join('; ') ?? MESSAGES[code] ?? summary;
  return { error: { code, message, status, ...(hasDetails(status) && { details: details ?? [] }) } };
}
