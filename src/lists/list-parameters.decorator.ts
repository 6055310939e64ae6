import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { FastifyRequest } from 'fastify';

import '../access/access.hook.js';
import '../access/grant-links.js';
import { EVERYTHING } from '../access/visibility.js';
import { JsonSchema } from '../fields/json-schema.js';
import { RequestScope } from '../http/request-scope.js';
import { routePolicy } from '../http/route-policy.js';
import { ListDefinition, offeredBeside } from './list-definition.js';
import { DEFAULT_LIMIT, ListQuery as Query, MAX_LIMIT, Narrowing } from './list-query.js';
import { readListQuery } from './read-list-query.js';
import { sortPattern } from './sort.js';

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /** The route answers a list. */
    list?: ListDefinition;
    /** The properties that the list is narrowed by whatever is asked. */
    narrowedBy?: readonly string[];
    /** The route answers the list of its resource. */
    isList?: boolean;
  }
}

interface Declaration {
  /** Left out: that of the route's resource. */
  readonly definition?: ListDefinition;
  /** The list with the filters that the route offers. Left out: all of them. */
  readonly offered?: ListDefinition;
  readonly scopes: readonly RequestScope[];
}

/** Reads the query of a list, as `@ListQuery()` does. */
export const readListParameter = (declaration: unknown, context: ExecutionContext): Query => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { scopes, definition = request.policy?.list, offered = definition } = declaration as Declaration;
  if (!definition || !offered) throw new Error(`${request.policy?.route ?? ''} declares no list`);
  const { cursors } = request.server;
  const start = request.url.indexOf('?');
  const text = start < 0 ? '' : request.url.slice(start + 1);
  const { visibility } = request;
  const within = narrowingsOf(scopes, request);
  const query = readListQuery(definition, text, cursors, within, visibility.owner, offered);
  // Its cursors stay good when the scope changes.
  return visibility === EVERYTHING ? query : { ...query, scope: visibility };
};

const read = createParamDecorator(readListParameter);

/**
 * The declaration of a parameter for the list of a resource, narrowed to what the path names, which comes first and is
 * no filter of the route any more.
 */
export function withinPath(
  declaration: unknown,
  list: ListDefinition | undefined,
  named: readonly RequestScope[],
): unknown {
  const { definition = list, scopes: own } = declaration as Declaration;
  const properties = named.map(({ property }) => property);
  const offered = definition && offeredBeside(definition, properties);
  return { definition, offered, scopes: [...named, ...own] };
}

function narrowingsOf(scopes: readonly RequestScope[], request: FastifyRequest): Narrowing[] {
  return scopes.flatMap(({ property, valueOf }) => {
    const value = valueOf(request);
    return value === undefined ? [] : { property, value };
  });
}

/**
 * The query string of a list, read and checked by what the list of the route's resource declares.
 *
 * @param scopes what the list is narrowed to whatever is asked: the children of what the path names, the caller's own
 * @throws ApiError `INVALID_QUERY`, `INVALID_SORT`, `INVALID_CURSOR`, `UNPROCESSABLE_ENTITY`
 * @example list(@ListQuery() query: ListQuery) { return this.products.list(query); }
 */
export function ListQuery(...scopes: RequestScope[]): ParameterDecorator {
  return (target, method, index) => {
    if (method === undefined) throw new Error('@ListQuery() belongs on a parameter of a route');
    read({ scopes })(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    const narrowedBy = scopes.map(({ property }) => property);
    routePolicy({ isList: true, narrowedBy, judgesRows: true })(target, method, descriptor);
  };
}
export type ListQuery = Query;

/** Documents the query parameters of a list. */
export function documentList(definition: ListDefinition): MethodDecorator {
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
