import { ApiQuery } from '@nestjs/swagger';
import { FastifyRequest } from 'fastify';

import { EVERYTHING } from '../access/access-scope.js';
import { openApiFormat } from '../fields/field.js';
import { parseId } from '../fields/parse-id.pipe.js';
import { routePolicy } from '../routes/route-policy.js';
import { createRequestDecorator } from '../routes/request.js';
import { isExport } from './export.js';
import { isRepeatableFilter, MAX_FILTER_VALUES } from './filters.js';
import { scopedList } from './scoped-list.js';
import { ListDefinition } from './list-definition.js';
import { DEFAULT_LIMIT, ParsedListQuery, MAX_LIMIT, FixedFilter, readListQuery } from './list-query.js';
import { rawQueryOf } from './query-string.js';
import { RELEVANCE } from './search.js';
import { sortPattern } from './sort.js';

/**
 * The conditions that a route sets on its list, by property. The value of a property comes from the path parameter with
 * the given name, or from a function of the request.
 */
export type FixedFilterSources = Readonly<
  Record<string, string | ((request: FastifyRequest) => FixedFilter['value'] | undefined)>
>;

function readRequestQuery(
  definition: ListDefinition,
  sources: FixedFilterSources,
  request: FastifyRequest,
): ParsedListQuery {
  const { server, url, context, policy } = request;
  const { scope } = context;
  const path = request.params as Readonly<Record<string, string>>;
  const fixedFilters: FixedFilter[] = [];
  for (const [property, source] of Object.entries(sources)) {
    const value = typeof source === 'string' ? parseId(path[source] ?? '', source) : source(request);
    if (value !== undefined) fixedFilters.push({ property, value });
  }
  const isOfAllRows = isExport(request);
  const others = policy?.queryParameters;
  const list = {
    ...scopedList(definition),
    ...(isOfAllRows && { parameters: ['sort'] }),
    ...(others !== 'any' && { otherParameters: others }),
  };
  const query = readListQuery(list, rawQueryOf(url), server.cursors, fixedFilters, scope.owner);
  return {
    ...query,
    // The scope is not part of `cursorScopeDigest`, so cursors stay valid when grants change.
    ...(scope !== EVERYTHING && { scope }),
    ...(isOfAllRows && { position: { style: 'all' } }),
  };
}

/**
 * Passes the query of a list to a parameter: the filters, the sort and the page of the query string, which it
 * validates, and the access scope of the caller. It also documents the parameters.
 *
 * Use it in a class with `@Resource()`, or together with `PageInterceptor`. If a route also has parameters of its own,
 * add `@Query()`.
 * @param fixedFilters conditions that clients cannot change. If a condition comes from a path parameter, the route has
 *   no filter on the same property
 * @throws ApiError with status 400, 414 or 422 if the query string is faulty
 * @example
 * @Get() // products/:id/reviews
 * list(@ListQuery(reviewList, { productId: 'id' }) query: ListQuery): Promise<Page<Review>> { … }
 */
export function ListQuery(list: ListDefinition, fixedFilters: FixedFilterSources = {}): ParameterDecorator {
  const ofPath = Object.entries(fixedFilters).filter(([, source]) => typeof source === 'string');
  // Leave out filters whose property has a condition from the path, and filters that are named like a path parameter.
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
  'One or more `<field>:<asc|desc>`, separated by commas. Each further field sorts the items that are equal in the fields ' +
  'before it. A field can appear only once. Nulls come last. Items that are equal in all fields are sorted by `id`.';

function documentParameters({ filters, defaultSort, search, ...list }: ListDefinition): object[] {
  const sorts = search ? [...list.sorts, RELEVANCE] : list.sorts;
  const bySearch = ` With \`q\`, you can also sort by \`${RELEVANCE}\`, and \`${RELEVANCE}:desc\` is the default.`;
  const ofFilters = [...filters.values()].map((filter) => {
    const { name, description } = filter;
    const schema = { ...filter.schema };
    if (schema.type === 'integer') schema.format = openApiFormat(schema);
    if (!isRepeatableFilter(filter)) return { name, schema, description };
    const array = { type: 'array', items: schema, maxItems: MAX_FILTER_VALUES };
    return { name, schema: array, style: 'form', explode: true, description };
  });
  if (list.parameters.length === 0) return ofFilters;
  // The schemas have no defaults. A form that is generated from the document would send a default even if it does not
  // apply.
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
      description: `The number of items per page. The default is ${DEFAULT_LIMIT}, and values above ${MAX_LIMIT} count as ${MAX_LIMIT}. Not available for CSV.`,
    },
    // `cursor` comes before `page`, because client generators use the first of the two for infinite queries.
    {
      name: 'cursor',
      schema: { type: 'string' },
      allowEmptyValue: true,
      description:
        'The `nextCursor` of the previous page, or an empty value for the first page. Pages by cursor have no total. Not available for CSV.',
    },
    {
      name: 'page',
      schema: { type: 'integer', minimum: 1 },
      description:
        'The number of the page. The default is 1. Cannot be combined with `cursor`. Not available for CSV.',
    },
  ];
}
