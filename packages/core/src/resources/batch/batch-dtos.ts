import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';

import { Dto, field, schemaOf } from '../../fields/field.js';
import { Choice, Flag, Id, Integer, ListOf, Nested, Text } from '../../fields/fields.js';
import { JsonSchema, rulesOf } from '../../fields/rules.js';
import { isObject } from '../../fields/shape.js';
import { classOf, Shown } from '../openapi/answers.decorator.js';

export type OperationMethod = 'create' | 'update' | 'delete';

export interface OperationDto {
  readonly id?: number;
  readonly ifMatch?: string;
  readonly body?: object;
}

const EXAMPLES: Readonly<Record<string, object>> = {
  create: { status: 201, etag: '"5f3c1a9e-43-1"', location: '/api/v1/products/43' },
  update: { status: 200, etag: '"5f3c1a9e-42-2"' },
  delete: { status: 204 },
};

const OPERATIONS = { type: 'array', minItems: 1, maxItems: 100 } as const;
const LIST_OF_OPERATIONS = {
  typeName: 'an array of objects',
  is: (value: unknown): boolean => Array.isArray(value) && value.every(isObject),
  schema: OPERATIONS,
  rules: rulesOf(OPERATIONS),
};

export function operationDtoOf(method: OperationMethod, body: Dto | undefined, shows: Dto): Dto {
  const ofRow = {
    id: Id(),
    ifMatch: Text({
      max: 8192,
      blank: true,
      optional: true,
      description: 'As the header: 412 if none of these is current.',
    }),
  };
  const members = { ...(method !== 'create' && ofRow), ...(body && { body: Nested(body) }) };
  const verb = method.charAt(0).toUpperCase() + method.slice(1);
  return classOf({ method: Choice({ of: [method] }), ...members }, nameOf(shows, verb, 'Operation'));
}

/** The name of a schema, with that of the version at its end: `CreateProductOperationV2`. */
const nameOf = (shows: Dto, before: string, after: string): string =>
  getSchemaPath(shows).replace(/^.*\/(.*?)(V\d+)?(?:Dto)?$/, `${before}$1${after}$2`);

/** The classes of a batch and of its results, and the schema by which these are serialized. */
export function batchDtosOf(operations: ReadonlyMap<string, Dto>, { type: shows, schema: shown }: Shown) {
  const mapping = Object.fromEntries([...operations].map(([method, dto]) => [method, getSchemaPath(dto)]));
  const oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
  const list: PropertyDecorator = (target, property) => {
    field(LIST_OF_OPERATIONS)(target, property);
    ApiProperty({ ...OPERATIONS, items: { oneOf, discriminator: { propertyName: 'method', mapping } } })(
      target,
      property,
    );
  };
  const atomic = Flag({ default: true, description: 'All are done or none; else each stands for itself.' });
  const request = classOf({ atomic, operations: list }, nameOf(shows, '', 'Batch'));
  ApiExtraModels(...operations.values())(request);
  const result = classOf(
    {
      status: Integer({ min: 200, max: 499, description: 'As the operation is answered alone.' }),
      etag: Text({ max: 200, optional: true, description: 'The `ETag` of what was created or changed.' }),
      location: Text({ max: 2000, optional: true, description: 'The path of what was created.' }),
      body: Nested(shows, { optional: true }),
      error: Nested(OPERATION_ERROR, { optional: true }),
    },
    nameOf(shows, '', 'BatchResult'),
  );
  const results = ListOf(result, {
    min: 1,
    max: 100,
    description: 'One for each operation, in their order.',
    // Of the operations that the request shows.
    example: [...operations.keys()]
      .filter((method) => method !== 'delete' || operations.size === 1)
      .map((method) => EXAMPLES[method]),
  });
  const { properties, ...schema } = schemaOf(result);
  const items = { ...schema, properties: { ...properties, body: shown } };
  const serialized: JsonSchema = { type: 'object', properties: { results: { type: 'array', items } } };
  return { request, response: classOf({ results }, nameOf(shows, '', 'BatchResults')), serialized };
}

const message = Text({ max: 2100, description: 'For people. The wording may change.' });
/** Its place in the document is taken by the schema of all errors' details, which has its name. */
const DETAIL = classOf({ field: Text({ max: 200 }), code: Text({ max: 100 }), message }, 'ErrorDetail');
const OPERATION_ERROR = classOf(
  {
    code: Text({
      max: 100,
      description: 'For programs, as that of the operation alone.',
      example: 'PRODUCT_NOT_FOUND',
    }),
    message,
    status: Integer({ min: 400, max: 499, example: 404 }),
    details: ListOf(DETAIL, {
      min: 0,
      max: 100,
      optional: true,
      description: 'Present with 400 and 422 only.',
    }),
  },
  'OperationError',
);
