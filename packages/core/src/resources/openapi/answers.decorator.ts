import { applyDecorators, HttpCode } from '@nestjs/common';
import { RouteSchema } from '@nestjs/platform-fastify';
import {
  ApiOperation,
  ApiProperty,
  ApiResponse,
  ApiSchema,
  DECORATORS,
  getSchemaPath,
} from '@nestjs/swagger';

import { Dto, fieldsOf, schemaOf } from '../../fields/field.js';
import { Flag, Integer, Text } from '../../fields/fields.js';
import { JsonSchema } from '../../fields/rules.js';
import { ErrorType } from '../../http/errors/catalogue.js';
import { routePolicy } from '../../http/route-policy.js';
import { MAX_LIMIT } from '../../lists/list-query.js';

declare module '../../http/route-policy.js' {
  interface RoutePolicy {
    /** Status and kind of a successful response: decide which headers are documented. */
    answers?: { readonly status: number; readonly kind: 'resource' | 'list' | 'object' | 'nothing' };
    /** The errors that a route documents, beside those that follow from what else it declares. */
    errors?: readonly ErrorType[];
  }
}

const MAX = Number.MAX_SAFE_INTEGER;

const OF_NUMBERS = { optional: true, min: 1, max: MAX } as const;

/**
 * Of a page in either style. One schema with optional properties: of a union of two, generated clients can read none.
 */
@ApiSchema({ name: 'Pagination' })
class PaginationDto {
  @Integer({ ...OF_NUMBERS, example: 1, description: 'Absent by cursor, as all that counts.' })
  page?: number;

  @Integer({ ...OF_NUMBERS, max: MAX_LIMIT, example: 20 })
  limit?: number;

  @Integer({
    ...OF_NUMBERS,
    min: 0,
    example: 1,
    description: 'Items of the whole list, of the same moment as the page.',
  })
  total?: number;

  @Integer({ ...OF_NUMBERS, min: 0, example: 1 })
  totalPages?: number;

  @Text({
    optional: true,
    max: 4096,
    nullable: true,
    example: 'tqR1oQ0nM2Xw6pY8cVbLdVsicHJvZHVjdHMiLDQyXQ',
    description: 'For `cursor`; null on the last page. Absent by number.',
  })
  nextCursor?: string | null;

  @Flag({ optional: true, example: true, description: 'Absent by number.' })
  hasMore?: boolean;
}

/**
 * Documents errors that a route can answer, beside those that follow from its other decorators and its resource.
 * @example @ApiErrorResponse(ORDER_NOT_PENDING)
 */
export const ApiErrorResponse = (...errors: ErrorType[]): MethodDecorator => routePolicy({ errors });

const exclusive = new Map<NewableFunction, readonly string[]>();

/** Documents that a body has exactly one of some nullable fields: the others are `null` or absent. The service checks it. */
export const ExactlyOneOf =
  (...names: string[]): ClassDecorator =>
  (dto) => {
    exclusive.set(dto, names);
  };

export const exclusiveFields = (): [string, readonly string[]][] =>
  [...exclusive].map(([dto, names]) => [getSchemaPath(dto), names]);

/** The schema by which a response is serialized. @throws Error for a class without properties */
export function responseSchemaOf(dto: Dto): JsonSchema {
  if (fieldsOf(dto).size > 0) return schemaOf(dto);
  // The names of properties, each after a colon.
  const described = (Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, dto.prototype as object) ??
    []) as string[];
  if (described.length === 0)
    throw new Error(
      `${dto.name} describes a response, but has no properties: declare them with @ApiProperty() or the field decorators of @plinth/core`,
    );
  return { type: 'object', properties: Object.fromEntries(described.map((name) => [name.slice(1), {}])) };
}

/** The serializer of each status, compiled once at start. What the schema does not list cannot be sent. */
const serializer = (status: number, schema: JsonSchema): MethodDecorator =>
  RouteSchema({ response: { [status]: schema } });

/** A route that answers one resource. @param documented the DTO of `@ApiOkResponse({ type })` on it, shown instead */
export function Answers(status: 200 | 201, dto: Dto, documented: Dto | undefined): MethodDecorator {
  const description = status === 201 ? 'The resource that was created.' : 'The resource as it is now.';
  return applyDecorators(
    HttpCode(status),
    serializer(status, responseSchemaOf(documented ?? dto)),
    routePolicy({ answers: { status, kind: 'resource' } }),
    ...(documented ? [] : [ApiResponse({ status, type: dto, description })]),
  );
}

export function documentedType(handler: object, status: number): Dto | undefined {
  const responses = Reflect.getMetadata(DECORATORS.API_RESPONSE, handler) as
    | Readonly<Record<string, { readonly type?: unknown } | undefined>>
    | undefined;
  const type = responses?.[status]?.type;
  return typeof type === 'function' ? (type as Dto) : undefined;
}

/**
 * A route that answers an object that is no resource: it has no validators. @param response what the object holds
 * @example @AnswersObject(TokenDto, 'Log in', 'The tokens.')
 */
export function AnswersObject(
  dto: Dto,
  summary: string,
  response: string,
  operationId?: string,
): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    serializer(200, responseSchemaOf(dto)),
    routePolicy({ answers: { status: 200, kind: 'object' } }),
    ApiOperation({ summary, ...(operationId !== undefined && { operationId }) }),
    ApiResponse({ status: 200, type: dto, description: response }),
  );
}

export function AnswersList(dto: Dto): MethodDecorator {
  const page = pageOf(dto);
  return applyDecorators(
    HttpCode(200),
    serializer(200, {
      type: 'object',
      properties: {
        data: { type: 'array', items: responseSchemaOf(dto) },
        pagination: schemaOf(PaginationDto),
      },
    }),
    routePolicy({ answers: { status: 200, kind: 'list' } }),
    ApiResponse({ status: 200, type: page, description: 'A page.' }),
  );
}

/** A page under a name that generated clients have a type for: `ProductPage`. */
function pageOf(dto: Dto): Dto {
  // oxlint-disable-next-line typescript/no-extraneous-class -- its properties are declared below, by hand
  class Page {}
  ApiProperty({ type: dto, isArray: true, maxItems: MAX_LIMIT })(Page.prototype, 'data');
  ApiProperty({ type: PaginationDto })(Page.prototype, 'pagination');
  const [name = ''] = /\w+?(?=(Dto)?$)/.exec(getSchemaPath(dto)) ?? [];
  ApiSchema({ name: `${name}Page` })(Page);
  return Page;
}

/**
 * A route that answers without a body: 204, or 202 for what is done later.
 * @example @AnswersNothing()
 */
export function AnswersNothing(status: 202 | 204 = 204): MethodDecorator {
  const description = `${status === 202 ? 'Accepted, and done soon' : 'Done'}; there is no body.`;
  return applyDecorators(
    HttpCode(status),
    routePolicy({ answers: { status, kind: 'nothing' } }),
    ApiResponse({ status, description }),
  );
}
