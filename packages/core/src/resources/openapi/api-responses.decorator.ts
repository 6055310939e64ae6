import { applyDecorators, HttpCode } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  ApiSchema,
  getSchemaPath,
} from '@nestjs/swagger';

import { Dto, field } from '../../fields/field.js';
import { jsonSchemaFor } from '../../fields/response-schema.js';
import { JsonSchema } from '../../fields/rules.js';
import { ErrorType } from '../../http/errors/define-errors.js';
import { RoutePolicy, routePolicy } from '../../routes/route-policy.js';
import { MAX_LIMIT } from '../../lists/list-query.js';
import { documentedTypeOf } from '../../nest/route-metadata.js';
import { PaginationDto } from './pagination.dto.js';

/**
 * Documents errors that the service of a route throws. They appear in the OpenAPI document and in generated clients.
 *
 * Do not use it for errors that other decorators or the resource imply, such as 401, 403, 404 and 412.
 * @example @ApiErrorResponse(ORDER_NOT_PENDING)
 */
export const ApiErrorResponse = (...errors: ErrorType[]): MethodDecorator => routePolicy({ errors });

/** The class and the schema of a row in the responses of a route, in one version of the API. */
export interface ResponseSchema {
  readonly type: Dto;
  readonly schema: JsonSchema;
}

/**
 * Builds the response schema of a class. Properties that are not in the schema are never sent. If the
 * class has an `id` and a version is given, the schema also has `etag`.
 * @param version the number of a version that shows entity tags
 */
export function responseSchemaFor(dto: Dto, version?: number): ResponseSchema {
  const schema = jsonSchemaFor(dto);
  const { properties = {} } = schema;
  if (version === undefined || !('id' in properties)) return { type: dto, schema };
  if ('etag' in properties)
    throw new Error(
      `${dto.name}.etag: rename this property, because responses use the name for the entity tag`,
    );
  return {
    type: addEntityTag(dto, `V${version}`),
    schema: { ...schema, properties: { ...properties, etag: { type: 'string' } } },
  };
}

const taggedDtos = new WeakMap<Dto, Dto>();

const ENTITY_TAG = field(
  {
    typeName: 'a string',
    isOfType: (value) => typeof value === 'string',
    schema: { type: 'string', maxLength: 100 },
    rules: [],
  },
  {
    example: '"5f3c1a9e-42-3"',
    description:
      'The `ETag` of the resource. Send it in `If-Match` to avoid overwriting changes that you have not seen.',
    column: false,
  },
);

/**
 * Returns a DTO with the properties of another one and `etag`. Use it for a response that contains a row, such as the
 * result of a login, in a version that shows entity tags.
 *
 * Do not use it for `responseDto` of a resource, which gets `etag` by itself.
 * @example @Nested(WithEntityTag(UserV2Dto)) user: UserV2Dto;
 */
export function WithEntityTag<T extends object>(dto: Dto<T>): Dto<T & { etag: string }> {
  return addEntityTag(dto, 'Tagged') as Dto<T & { etag: string }>;
}

/** Returns the DTO with `etag`. Its schema has the name of the DTO, and the suffix unless the name ends in a version. */
function addEntityTag(dto: Dto, suffix: string): Dto {
  const known = taggedDtos.get(dto);
  if (known) return known;
  class Tagged extends dto {}
  Object.defineProperty(Tagged, 'name', { value: dto.name });
  ENTITY_TAG(Tagged.prototype, 'etag');
  const name = schemaBaseName(dto);
  ApiSchema({ name: /V\d+$/.test(name) ? name : name + suffix })(Tagged);
  taggedDtos.set(dto, Tagged);
  return Tagged;
}

const schemaBaseName = (dto: Dto): string => /\w+?(?=(Dto)?$)/.exec(getSchemaPath(dto))?.[0] ?? '';

/** Builds the policy of a route that returns a page. The schema has a name such as `ProductPage`, for generated clients. */
export function pagePolicy({ type: row, schema }: ResponseSchema): RoutePolicy {
  const data = ApiProperty({ type: row, isArray: true, maxItems: MAX_LIMIT });
  const type = createDto(
    { data, pagination: ApiProperty({ type: PaginationDto }) },
    `${schemaBaseName(row)}Page`,
  );
  const properties = { data: { type: 'array', items: schema }, pagination: jsonSchemaFor(PaginationDto) };
  return { success: { status: 200, kind: 'list', type }, response: { 200: { type: 'object', properties } } };
}

/** Returns the class that `@ApiOkResponse()` or a similar decorator on a route documents as its response, if any. */
export function documentedType(handler: object, status: number): Dto | undefined {
  const type = documentedTypeOf(handler, status);
  return typeof type === 'function' ? (type as Dto) : undefined;
}

/**
 * Documents and serializes a response with status 200 whose object is not a row, such as the result of a login. It has no
 * `ETag`.
 *
 * Do not use it for rows and lists: `@Resource()` documents these.
 * @param dto the class of the object, or one for each version: `{ 1: LoginResultDto, 2: LoginResultV2Dto }`
 * @param summary the title of the route in the documentation
 * @param response a sentence about the object
 * @param operationId the name of the method in generated clients. By default, derived from the path
 * @param description how to use the route, in Markdown
 * @throws Error at import, if a class has no properties, or one that responses would not contain
 * @example @ApiObjectResponse(TokenDto, 'Log in', 'The tokens.')
 */
export function ApiObjectResponse(
  dto: Dto | Readonly<Record<number, Dto>>,
  summary: string,
  response: string,
  operationId?: string,
  description?: string,
): MethodDecorator {
  const types = typeof dto === 'function' ? { 1: dto } : dto;
  const inVersion = new Map(
    Object.entries(types).map(([version, type]): [number, RoutePolicy] => [
      Number(version),
      { success: { status: 200, kind: 'object', type }, response: { 200: jsonSchemaFor(type) } },
    ]),
  );
  const [first] = Object.values(types) as [Dto];
  return applyDecorators(
    HttpCode(200),
    routePolicy({
      success: { status: 200, kind: 'object' },
      response: { 200: jsonSchemaFor(first) },
      ...(dto !== first && { inVersion: (version) => inVersion.get(version) ?? {} }),
    }),
    ApiOperation({ summary, operationId, description }),
    ApiExtraModels(...Object.values(types)),
    ApiResponse({ status: 200, type: first, description: response }),
  );
}

/**
 * Creates a DTO class whose properties are known only at run time, such as the page of a resource.
 * @param name the name of the schema in the OpenAPI document
 */
export function createDto(properties: Readonly<Record<string, PropertyDecorator>>, name: string): Dto {
  // oxlint-disable-next-line typescript/no-extraneous-class -- the decorators below declare its properties
  class Described {}
  for (const [property, decorate] of Object.entries(properties)) decorate(Described.prototype, property);
  ApiSchema({ name })(Described);
  return Described;
}

/**
 * Declares that a route responds without a body.
 * @param status 204, or 202 if the work is done after the response
 * @example @ApiNoContent()
 */
export function ApiNoContent(status: 202 | 204 = 204): MethodDecorator {
  const description = `${status === 202 ? 'Accepted, and will be done soon' : 'Done'}. The response has no body.`;
  return applyDecorators(
    HttpCode(status),
    routePolicy({ success: { status, kind: 'nothing' } }),
    ApiResponse({ status, description }),
  );
}
