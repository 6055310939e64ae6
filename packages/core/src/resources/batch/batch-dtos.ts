import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';

import { Dto, field } from '../../fields/field.js';
import { jsonSchemaFor } from '../../fields/response-schema.js';
import { Choice, Flag, id, Integer, ListOf, Nested, Text } from '../../fields/fields.js';
import { JsonSchema, rulesFromSchema } from '../../fields/rules.js';
import { isObject } from '../../fields/dto-schema.js';
import { createDto, ResponseSchema } from '../openapi/api-responses.decorator.js';
import { ResourceOptions } from '../resource.js';
import { BatchedRoute } from './batch.js';

const resultExamples = ({ path }: ResourceOptions): Readonly<Record<string, object>> => ({
  create: { status: 201, etag: '"5f3c1a9e-43-1"', location: `/api/v1/${path}/43` },
  update: { status: 200, etag: '"5f3c1a9e-42-2"' },
  delete: { status: 204 },
});

const OPERATIONS = { type: 'array', minItems: 1, maxItems: 100 } as const;
const LIST_OF_OPERATIONS = {
  typeName: 'an array of objects',
  isOfType: (value: unknown): boolean => Array.isArray(value) && value.every(isObject),
  schema: OPERATIONS,
  rules: rulesFromSchema(OPERATIONS),
};

/**
 * Creates the DTO of one kind of operation.
 * @param method `create`, `update` or `delete`
 * @param body the DTO of the body, if the route of the operation has one
 * @param shows the DTO of a row in responses
 */
export function createOperationDto(method: string, body: Dto | undefined, shows: Dto): Dto {
  const ofRow = {
    // The field has no limits, because an integer that cannot be an id gets 404, as in a path.
    id: field({ ...id, rules: [] }, { example: 42 }),
    ifMatch: Text({
      max: 8192,
      blank: true,
      optional: true,
      description:
        'Like the header `If-Match`: the operation fails with 412 if none of these ETags is current.',
    }),
  };
  const members = { ...(method !== 'create' && ofRow), ...(body && { body: Nested(body) }) };
  const verb = method.charAt(0).toUpperCase() + method.slice(1);
  return createDto(
    { method: Choice({ of: [method] }), ...members },
    batchSchemaName(shows, verb, 'Operation'),
  );
}

/** Returns the name of a schema. It ends in the version of the API: `CreateProductOperationV2`. */
const batchSchemaName = (shows: Dto, before: string, after: string): string =>
  getSchemaPath(shows).replace(/^.*\/(.*?)(V\d+)?(?:Dto)?$/, `${before}$1${after}$2`);

/** Creates the DTOs of a batch and of its results, and the schema that serializes the results. */
export function createBatchDtos(
  batch: ReadonlyMap<string, BatchedRoute>,
  { type: shows, schema: shown }: ResponseSchema,
  resource: ResourceOptions,
) {
  const mapping = Object.fromEntries([...batch].map(([method, { dto }]) => [method, getSchemaPath(dto)]));
  const oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
  const items = { oneOf, discriminator: { propertyName: 'method', mapping } };
  const list = applyDecorators(field(LIST_OF_OPERATIONS), ApiProperty({ ...OPERATIONS, items }));
  const atomic = Flag({
    default: true,
    description:
      '`true`: either all operations succeed, or none is carried out. `false`: each succeeds or fails by itself.',
  });
  const request = createDto({ atomic, operations: list }, batchSchemaName(shows, '', 'Batch'));
  ApiExtraModels(...[...batch.values()].map(({ dto }) => dto))(request);
  const result = createDto(
    {
      status: Integer({ min: 200, max: 499, description: 'The status that a single request would get.' }),
      etag: Text({ max: 200, optional: true, description: 'The `ETag` of the created or changed resource.' }),
      location: Text({ max: 2000, optional: true, description: 'The path of the created resource.' }),
      body: Nested(shows, { optional: true }),
      error: Nested(operationErrorFor(resource), { optional: true }),
    },
    batchSchemaName(shows, '', 'BatchResult'),
  );
  const examples = resultExamples(resource);
  const results = ListOf(result, {
    min: 1,
    max: 100,
    description: 'One result for each operation, in the same order.',
    // These results belong to the operations in the example of the request.
    example: [...batch.keys()]
      .filter((method) => method !== 'delete' || batch.size === 1)
      .map((method) => examples[method]),
  });
  const { properties, ...schema } = jsonSchemaFor(result);
  const ofResult = { ...schema, properties: { ...properties, body: shown } };
  const serialized: JsonSchema = {
    type: 'object',
    properties: { results: { type: 'array', items: ofResult } },
  };
  return {
    request,
    response: createDto({ results }, batchSchemaName(shows, '', 'BatchResults')),
    serialized,
  };
}

const ERROR_MESSAGE_FIELD = Text({ max: 2100, description: 'A message for people. Its wording may change.' });
/** In the OpenAPI document, the `ErrorDetail` of all error responses replaces this schema of the same name. */
const OPERATION_ERROR_DETAIL = createDto(
  { field: Text({ max: 200 }), code: Text({ max: 100 }), message: ERROR_MESSAGE_FIELD },
  'ErrorDetail',
);
let operationError: Dto | undefined;

/** Returns the DTO of errors, which all batches share. Its example is the 404 of the first resource that has a batch. */
function operationErrorFor({ notFound }: ResourceOptions): Dto {
  operationError ??= createDto(
    {
      code: Text({
        max: 100,
        description: 'The code that a single request would get.',
        example: notFound.code,
      }),
      message: ERROR_MESSAGE_FIELD,
      status: Integer({ min: 400, max: 499, example: 404 }),
      details: ListOf(OPERATION_ERROR_DETAIL, {
        min: 0,
        max: 100,
        optional: true,
        description: 'Present with 400 and 422, and with 409 if a unique value caused it.',
      }),
    },
    'OperationError',
  );
  return operationError;
}
