import { applyDecorators, HttpCode } from '@nestjs/common';
import { RouteSchema } from '@nestjs/platform-fastify';
import {
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  ApiSchema,
  DECORATORS,
  getSchemaPath,
} from '@nestjs/swagger';

import { Dto, schemaOf } from '../../fields/field.js';
import { JsonSchema } from '../../fields/rules.js';
import { routePolicy } from '../../http/route-policy.js';
import { MAX_LIMIT } from '../../lists/list-query.js';
import { CursorPaginationDto, OffsetPaginationDto } from './pagination.dto.js';
import { responseSchemaOf } from './response-schema.js';

declare module '../../http/route-policy.js' {
  interface RoutePolicy {
    /** Status and kind of a successful response: decide which headers are documented. */
    answers?: { readonly status: number; readonly kind: 'resource' | 'list' | 'object' | 'nothing' };
  }
}

/** The serializer of each status, compiled once at start. What the schema does not list cannot be sent. */
const serializer = (status: number, schema: JsonSchema): MethodDecorator =>
  RouteSchema({ response: { [status]: schema } });

/**
 * A route that answers one resource with its validators. `@ApiOkResponse({ type })` on it documents and shows another
 * DTO.
 */
export function Answers(status: 200 | 201, dto: Dto): MethodDecorator {
  const description = status === 201 ? 'The resource that was created.' : 'The resource as it is now.';
  return (target, name, descriptor) => {
    const type = documentedType(descriptor.value as unknown as object, status);
    for (const decorate of [
      HttpCode(status),
      serializer(status, responseSchemaOf(type ?? dto)),
      routePolicy({ answers: { status, kind: 'resource' } }),
      ...(type ? [] : [ApiResponse({ status, type: dto, description })]),
    ])
      decorate(target, name, descriptor);
  };
}

/** The class that a route's own `@ApiResponse()` names for a status. */
export function documentedType(handler: object, status: number): Dto | undefined {
  const responses = Reflect.getMetadata(DECORATORS.API_RESPONSE, handler) as
    | Readonly<Record<string, { readonly type?: unknown } | undefined>>
    | undefined;
  const type = responses?.[status]?.type;
  return typeof type === 'function' ? (type as Dto) : undefined;
}

/**
 * A route that answers an object that is no resource: it has no validators.
 *
 * @param response what the object holds
 * @param operationId what clients call the operation; left out, it follows from the names of method and controller
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

/** A route that answers a page of a list, in either style. */
export function AnswersList(dto: Dto): MethodDecorator {
  const pagination = {
    ...schemaOf(OffsetPaginationDto).properties,
    ...schemaOf(CursorPaginationDto).properties,
  };
  const pages = [pageOf(dto, OffsetPaginationDto, 'Page'), pageOf(dto, CursorPaginationDto, 'CursorPage')];
  return applyDecorators(
    HttpCode(200),
    serializer(200, {
      type: 'object',
      properties: {
        data: { type: 'array', items: responseSchemaOf(dto) },
        // Of either style; what the other one has is absent.
        pagination: { type: 'object', properties: pagination },
      },
    }),
    routePolicy({ answers: { status: 200, kind: 'list' } }),
    ApiExtraModels(...pages),
    ApiResponse({
      status: 200,
      description: 'A page.',
      // Not `oneOf`: what tells the styles apart is one level down, in `pagination`, where linters do not look for it.
      schema: { anyOf: pages.map((page) => ({ $ref: getSchemaPath(page) })) },
    }),
  );
}

/** A page in one of the two styles, under a name that generated clients have a type for: `ProductPage`. */
function pageOf(dto: Dto, style: Dto, suffix: string): Dto {
  // oxlint-disable-next-line typescript/no-extraneous-class -- its properties are declared below, by hand
  class Page {}
  ApiProperty({ type: dto, isArray: true, maxItems: MAX_LIMIT })(Page.prototype, 'data');
  ApiProperty({ type: style })(Page.prototype, 'pagination');
  const [name = ''] = /\w+?(?=(Dto)?$)/.exec(getSchemaPath(dto)) ?? [];
  ApiSchema({ name: `${name}${suffix}` })(Page);
  return Page;
}

/** A route that answers 204. @param summary of the operation; left out: it follows from its resource */
export function AnswersNothing(summary?: string): MethodDecorator {
  return applyDecorators(
    HttpCode(204),
    routePolicy({ answers: { status: 204, kind: 'nothing' } }),
    ...(summary === undefined ? [] : [ApiOperation({ summary })]),
    ApiResponse({ status: 204, description: 'Done; there is no body.' }),
  );
}
