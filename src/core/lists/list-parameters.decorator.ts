import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { FastifyRequest } from 'fastify';

import '../access/access.hook.js';
import '../access/grant-links.js';
import { EVERYTHING } from '../access/visibility.js';
import { fieldsOf } from '../fields/field.js';
import { JsonSchema } from '../fields/json-schema.js';
import { readId, readUuid } from '../fields/parse-id.pipe.js';
import { routePolicy } from '../http/route-policy.js';
import { ListDefinition, offeredBeside } from './list-definition.js';
import { DEFAULT_LIMIT, ListQuery as Query, MAX_LIMIT, Narrowing } from './list-query.js';
import { readListQuery } from './read-list-query.js';
import { sortPattern } from './sort.js';

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /** The list that the route answers a page of. */
    list?: ListDefinition;
    /** The properties that the list is narrowed by, whatever the query says. */
    narrowedBy?: readonly string[];
  }
}

type Value = Narrowing['value'];

/**
 * The bounds of a list, whatever the query says: by property, the path parameter that holds its value, or a
 * function of the request; `undefined`: the request is not narrowed.
 */
export type Within = Readonly<Record<string, string | ((request: FastifyRequest) => Value | undefined)>>;

interface Declaration {
  readonly definition: ListDefinition;
  /** The list with the filters that the route offers. */
  readonly offered: ListDefinition;
  readonly within: Within;
}

const read = createParamDecorator((declaration: Declaration, context: ExecutionContext): Query => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { definition, offered } = declaration;
  const { server, url, visibility } = request;
  const start = url.indexOf('?');
  const text = start < 0 ? '' : url.slice(start + 1);
  const within = narrowingsOf(declaration, request);
  const query = readListQuery(definition, text, server.cursors, within, visibility.owner, offered);
  // Its cursors stay good when the scope changes.
  return visibility === EVERYTHING ? query : { ...query, scope: visibility };
});

function narrowingsOf({ definition, within }: Declaration, request: FastifyRequest): Narrowing[] {
  return Object.entries(within).flatMap(([property, source]) => {
    const value =
      typeof source === 'string' ? valueInPath(definition, property, source, request) : source(request);
    return value === undefined ? [] : { property, value };
  });
}

/** @throws ApiError `INVALID_ID` */
function valueInPath(
  { entity }: ListDefinition,
  property: string,
  parameter: string,
  request: FastifyRequest,
): Value {
  const text = (request.params as Readonly<Record<string, string>>)[parameter] ?? '';
  const isUuid = fieldsOf(entity).get(property)?.kind.schema.format === 'uuid';
  return isUuid ? readUuid(text, parameter) : readId(text, parameter);
}

/**
 * The query string of a list, read and checked by what the list declares; it carries the caller's visibility.
 *
 * @param within what the list is narrowed to, whatever the query says. What the path names is no filter of the route
 * @throws ApiError `INVALID_QUERY`, `INVALID_SORT`, `INVALID_CURSOR`, `UNPROCESSABLE_ENTITY`
 * @example list(@ListQuery(productList) query: ListQuery) { return this.products.list(query); }
 * @example list(@ListQuery(reviewList, { productId: 'id' }) query: ListQuery) { … } // of products/:id/reviews
 */
export function ListQuery(definition: ListDefinition, within: Within = {}): ParameterDecorator {
  const narrowedBy = Object.keys(within);
  const offered = offeredBeside(
    definition,
    narrowedBy.filter((property) => typeof within[property] === 'string'),
  );
  return (target, method, index) => {
    if (method === undefined) throw new Error('@ListQuery() belongs on a parameter of a route');
    read({ definition, offered, within })(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    documentList(offered)(target, method, descriptor);
    routePolicy({ list: definition, narrowedBy })(target, method, descriptor);
  };
}
export type ListQuery = Query;

/** Documents the query parameters of a list. */
function documentList(definition: ListDefinition): MethodDecorator {
  return (target, method, descriptor) => {
    for (const { name, schema, description } of documentation(definition)) {
      // Several values stand in one parameter, with commas between them.
      const style = schema.type === 'array' && ({ style: 'form', explode: false } as const);
      const parameter = { name, schema: schema as object, description, required: false, ...style };
      ApiQuery(parameter)(target, method, descriptor);
    }
  };
}

const SORT =
  '`<field>:<asc|desc>`, comma-separated; the first goes first, and each field is named once. Nulls come last, `id` breaks ties.';

function* documentation(
  definition: ListDefinition,
): Generator<{ name: string; schema: JsonSchema; description: string }> {
  for (const { name, schema, description } of definition.filters.values())
    yield { name, schema, description };
  yield {
    name: 'sort',
    schema: { type: 'string', pattern: sortPattern(definition.sorts), default: definition.defaultSort },
    description: `${SORT} Fields: ${definition.sorts.map((field) => `\`${field}\``).join(', ')}.`,
  };
  yield {
    name: 'limit',
    schema: { type: 'integer', minimum: 1, default: DEFAULT_LIMIT },
    description: `Items per page; more than ${MAX_LIMIT} counts as ${MAX_LIMIT}.`,
  };
  yield {
    name: 'page',
    schema: { type: 'integer', minimum: 1, default: 1 },
    description: 'Page number. Excludes `cursor`.',
  };
  yield {
    name: 'cursor',
    schema: { type: 'string' },
    description: '`nextCursor` of the previous page; empty for the first one. No total is counted.',
  };
}
