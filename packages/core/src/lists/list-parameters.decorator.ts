import { ApiQuery } from '@nestjs/swagger';
import { FastifyRequest } from 'fastify';

import { EVERYTHING } from '../access/access-scope.js';
import { openApiFormat } from '../fields/field.js';
import { parseId } from '../fields/parse-id.pipe.js';
import { routePolicy } from '../routes/route-policy.js';
import { createRequestDecorator } from '../routes/request.js';
import { MAX_FILTER_VALUES } from './filters.js';
import { ListDefinition } from './list-definition.js';
import { DEFAULT_LIMIT, ParsedListQuery, MAX_LIMIT, FixedFilter, readListQuery } from './list-query.js';
import { rawQueryOf } from './query-string.js';
import { RELEVANCE } from './search.js';
import { sortPattern } from './sort.js';

/** The bounds of a list, by property: the path parameter that holds the value, or a function of the request. */
export type FixedFilterSources = Readonly<
  Record<string, string | ((request: FastifyRequest) => FixedFilter['value'] | undefined)>
>;

function readRequestQuery(
  definition: ListDefinition,
  fixedFilters: FixedFilterSources,
  request: FastifyRequest,
): ParsedListQuery {
  const { nextRows, server, url, context, policy } = request;
  const { scope } = context;
  const otherParameters = policy?.queryParameters;
  const path = request.params as Readonly<Record<string, string>>;
  const narrowings = Object.entries(fixedFilters).flatMap(([property, source]): FixedFilter[] => {
    const value = typeof source === 'string' ? parseId(path[source] ?? '', source) : source(request);
    return value === undefined ? [] : [{ property, value }];
  });
  const { owner } = scope;
  // What is sent whole has no pages.
  const asked = {
    ...definition,
    ...(nextRows && { parameters: ['sort'] }),
    ...(otherParameters !== 'any' && { otherParameters }),
  };
  const query = readListQuery(asked, rawQueryOf(url), server.cursors, narrowings, owner);
  // Its cursors stay good when the scope changes.
  return { ...query, ...(scope !== EVERYTHING && { scope }), ...(nextRows && { nextRows }) };
}

/**
 * The query string of a list, read and checked, narrowed to what `within` says; it carries the caller's visibility.
 * @example list(@ListQuery(reviewList, { productId: 'id' }) query: ListQuery) { … } // of products/:id/reviews
 */
export function ListQuery(list: ListDefinition, fixedFilters: FixedFilterSources = {}): ParameterDecorator {
  const ofPath = Object.entries(fixedFilters).filter(([, source]) => typeof source === 'string');
  // No parameter is what the path says, or has the name of one of the path.
  const offered = [...list.filters].filter(([name, filter]) =>
    ofPath.every(([property, parameter]) => property !== filter.property && parameter !== name),
  );
  const definition = { ...list, filters: new Map(offered) };
  const documented = documentParameters(definition).map((parameter) =>
    ApiQuery({ ...parameter, required: false }),
  );
  const policy = routePolicy({ list, fixedFilterProperties: Object.keys(fixedFilters) });
  return createRequestDecorator(
    (request) => readRequestQuery(definition, fixedFilters, request),
    ...documented,
    policy,
  )();
}
export type ListQuery = ParsedListQuery;

const SORT_DESCRIPTION =
  '`<field>:<asc|desc>`, comma-separated; the first goes first, and each field is named once. Nulls come last, `id` breaks ties.';

function documentParameters({ filters, defaultSort, search, ...list }: ListDefinition): object[] {
  const sorts = search ? [...list.sorts, RELEVANCE] : list.sorts;
  const bySearch = ` \`${RELEVANCE}\` goes with \`q\`, and then \`${RELEVANCE}:desc\` is the default.`;
  const ofFilters = [...filters.values()].map(({ name, isAnyOf, description, schema: { ...schema } }) => {
    if (schema.type === 'integer') schema.format = openApiFormat(schema);
    if (!isAnyOf) return { name, schema, description };
    const array = { type: 'array', items: schema, maxItems: MAX_FILTER_VALUES };
    return { name, schema: array, style: 'form', explode: true, description };
  });
  if (list.parameters.length === 0) return ofFilters;
  // No defaults: forms made of the document would send them, also where others hold, or none.
  return [
    ...ofFilters,
    {
      name: 'sort',
      schema: { type: 'string', pattern: sortPattern(sorts) },
      description: `${SORT_DESCRIPTION} Fields: ${sorts.map((field) => `\`${field}\``).join(', ')}. The default is \`${defaultSort}\`.${search ? bySearch : ''}`,
    },
    {
      name: 'limit',
      schema: { type: 'integer', minimum: 1 },
      description: `Items per page: ${DEFAULT_LIMIT} by default; more than ${MAX_LIMIT} counts as ${MAX_LIMIT}. Not with CSV.`,
    },
    // Before `page`: generators make infinite queries of the first one.
    {
      name: 'cursor',
      schema: { type: 'string' },
      allowEmptyValue: true,
      description:
        '`nextCursor` of the previous page; empty for the first one. No total is counted. Not with CSV.',
    },
    {
      name: 'page',
      schema: { type: 'integer', minimum: 1 },
      description: 'Page number. Excludes `cursor`. The default is the first page. Not with CSV.',
    },
  ];
}
