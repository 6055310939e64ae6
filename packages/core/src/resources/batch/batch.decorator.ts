import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

import { PERMISSION_BY_METHOD } from '../../access/grants.js';
import { Dto, field, jsonSchemaFor } from '../../fields/field.js';
import { Choice, Flag, id, Integer, ListOf, Nested, Text } from '../../fields/fields.js';
import { JsonSchema, rulesFromSchema } from '../../fields/rules.js';
import { isDto, isObject } from '../../fields/dto-schema.js';
import {
  readRoutePolicy,
  createRequestDecorator,
  RoutePolicy,
  routePolicy,
} from '../../http/route-policy.js';
import { guardsOf, parametersOf, pipesOf, Route } from '../../nest/route-metadata.js';
import { createDto, documentedType, ResponseSchema } from '../openapi/api-responses.decorator.js';
import { BatchOperations, BatchedRoute } from './batch.js';

/**
 * The operations of a POST that stand for requests to the other routes of its controller: `@Post()`, `@Patch(':id')`
 * and `@Delete(':id')`, as far as there are any.
 * @example
 * @Post('batch')
 * batch(@Batch() batch: Batch): Promise<BatchResults> { return batch.run(this.products); }
 */
export const Batch = createRequestDecorator(
  (request) => new BatchOperations(request),
  routePolicy({ isTransactional: true, batch: new Map() }),
);
export type Batch = BatchOperations;

const BATCH_METHODS: readonly (readonly [string, string, RegExp])[] = [
  ['create', 'POST', /^$/],
  ['update', 'PATCH', /^:\w+$/],
  ['delete', 'DELETE', /^:\w+$/],
];

export function batchDecorators(
  { controller, name, path }: Route,
  all: readonly Route[],
  inVersion: Readonly<Record<number, RoutePolicy>>,
): MethodDecorator[] {
  const shows = Object.values(inVersion)[0]?.rowResponse as ResponseSchema;
  const batch = new Map<string, BatchedRoute>();
  for (const [operation, method, pattern] of BATCH_METHODS) {
    const route = all.find((other) => other.method === method && pattern.test(other.path));
    if (!route) continue;
    const { access } = { ...readRoutePolicy(controller), ...readRoutePolicy(route.handler) };
    batch.set(operation, {
      method,
      path: route.path && `/${route.path}`,
      dto: createOperationDto(operation, bodyDtoFor(route), shows.type),
      permission: access?.isPublic === false ? access.permission : (PERMISSION_BY_METHOD[method] ?? 'read'),
    });
  }
  if (batch.size === 0 || !/^[\w-]+$/.test(path))
    throw new Error(
      `${controller.name}.${name}: @Batch() belongs on a path of one word, beside @Post(), @Patch(':id') or @Delete(':id')`,
    );
  const { request } = createBatchDtos(batch, shows);
  const answers = Object.entries(inVersion).map(([version, policy]): [string, RoutePolicy] => {
    const { response: type, serialized } = createBatchDtos(batch, policy.rowResponse as ResponseSchema);
    return [
      version,
      { ...policy, success: { status: 200, kind: 'object', type }, response: { 200: serialized } },
    ];
  });
  return [
    HttpCode(200),
    ApiBody({ type: request }),
    ApiExtraModels(...answers.flatMap(([, policy]) => policy.success?.type ?? [])),
    ApiResponse({ status: 200, description: 'A result for each operation, in their order.' }),
    routePolicy({
      hasBodyDto: true,
      byVersion: Object.fromEntries(answers),
      batch,
      batchDto: request,
      countRequests: (body) => {
        const { operations } = (body ?? {}) as { operations?: unknown };
        // What is no list, validation refuses. Its `length` is what the client says.
        return Array.isArray(operations) ? Math.max(1, operations.length) : 1;
      },
    }),
  ];
}

/** The DTO of a route's body. @throws Error where a batch would leave out what the route does */
function bodyDtoFor({ controller, name, handler }: Route): Dto | undefined {
  const parameters = parametersOf(controller, name);
  const pipes = parameters.flatMap((parameter) => (parameter.data === undefined ? parameter.pipes : []));
  const isGuarded = guardsOf(handler).length > 0 || pipesOf(handler).length > 0;
  const shown = documentedType(handler, 201) ?? documentedType(handler, 200);
  if (isGuarded || pipes.length > 0 || shown)
    throw new Error(
      `${controller.name}.${name} has guards, pipes or a response of its own, which @Batch() leaves out`,
    );
  return parameters.map(({ type }) => type).find(isDto);
}

const RESULT_EXAMPLES: Readonly<Record<string, object>> = {
  create: { status: 201, etag: '"5f3c1a9e-43-1"', location: '/api/v1/products/43' },
  update: { status: 200, etag: '"5f3c1a9e-42-2"' },
  delete: { status: 204 },
};

const OPERATIONS = { type: 'array', minItems: 1, maxItems: 100 } as const;
const LIST_OF_OPERATIONS = {
  typeName: 'an array of objects',
  isOfType: (value: unknown): boolean => Array.isArray(value) && value.every(isObject),
  schema: OPERATIONS,
  rules: rulesFromSchema(OPERATIONS),
};

function createOperationDto(method: string, body: Dto | undefined, shows: Dto): Dto {
  const ofRow = {
    // Without bounds: an integer that is no id is 404, as it is in a path.
    id: field({ ...id, rules: [] }, { example: 42 }),
    ifMatch: Text({
      max: 8192,
      blank: true,
      optional: true,
      description: 'As the header: 412 if none of these is current.',
    }),
  };
  const members = { ...(method !== 'create' && ofRow), ...(body && { body: Nested(body) }) };
  const verb = method.charAt(0).toUpperCase() + method.slice(1);
  return createDto(
    { method: Choice({ of: [method] }), ...members },
    batchSchemaName(shows, verb, 'Operation'),
  );
}

/** The name of a schema, with that of the version at its end: `CreateProductOperationV2`. */
const batchSchemaName = (shows: Dto, before: string, after: string): string =>
  getSchemaPath(shows).replace(/^.*\/(.*?)(V\d+)?(?:Dto)?$/, `${before}$1${after}$2`);

/** The classes of a batch and of its results, and the schema by which these are serialized. */
function createBatchDtos(
  batch: ReadonlyMap<string, BatchedRoute>,
  { type: shows, schema: shown }: ResponseSchema,
) {
  const mapping = Object.fromEntries([...batch].map(([method, { dto }]) => [method, getSchemaPath(dto)]));
  const oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
  const items = { oneOf, discriminator: { propertyName: 'method', mapping } };
  const list = applyDecorators(field(LIST_OF_OPERATIONS), ApiProperty({ ...OPERATIONS, items }));
  const atomic = Flag({ default: true, description: 'All are done or none; else each stands for itself.' });
  const request = createDto({ atomic, operations: list }, batchSchemaName(shows, '', 'Batch'));
  ApiExtraModels(...[...batch.values()].map(({ dto }) => dto))(request);
  const result = createDto(
    {
      status: Integer({ min: 200, max: 499, description: 'As the operation is answered alone.' }),
      etag: Text({ max: 200, optional: true, description: 'The `ETag` of what was created or changed.' }),
      location: Text({ max: 2000, optional: true, description: 'The path of what was created.' }),
      body: Nested(shows, { optional: true }),
      error: Nested(OPERATION_ERROR, { optional: true }),
    },
    batchSchemaName(shows, '', 'BatchResult'),
  );
  const results = ListOf(result, {
    min: 1,
    max: 100,
    description: 'One for each operation, in their order.',
    // Of the operations that the request shows.
    example: [...batch.keys()]
      .filter((method) => method !== 'delete' || batch.size === 1)
      .map((method) => RESULT_EXAMPLES[method]),
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

const ERROR_MESSAGE_FIELD = Text({ max: 2100, description: 'For people. The wording may change.' });
/** Its place in the document is taken by the schema of all errors' details, which has its name. */
const OPERATION_ERROR_DETAIL = createDto(
  { field: Text({ max: 200 }), code: Text({ max: 100 }), message: ERROR_MESSAGE_FIELD },
  'ErrorDetail',
);
const OPERATION_ERROR = createDto(
  {
    code: Text({
      max: 100,
      description: 'For programs, as that of the operation alone.',
      example: 'PRODUCT_NOT_FOUND',
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
