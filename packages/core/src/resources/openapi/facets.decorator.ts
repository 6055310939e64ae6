import { ApiExtraModels, ApiResponse } from '@nestjs/swagger';

import { declareField, Dto, FieldOptions, fieldsOf } from '../../fields/field.js';
import { jsonSchemaFor } from '../../fields/response-schema.js';
import { Integer, ListOf, Nested } from '../../fields/fields.js';
import { routePolicy } from '../../routes/route-policy.js';
import { decorateRoute } from '../../routes/request.js';
import { MAX_FACET_VALUES } from '../../lists/facets.js';
import { ListDefinition } from '../../lists/list-definition.js';
import { ListQuery, FixedFilterSources } from '../../lists/list-parameters.decorator.js';
import { createDto } from './api-responses.decorator.js';

/**
 * Declares a route that responds with the facets of a list, such as the number of products in each category. Clients
 * can show facets beside the filters of the list, so that users see which values find something. The decorator passes
 * the query of the request to a parameter. The query has the same filters and `q` as `@ListQuery()`, but neither sort
 * nor page.
 * @param fixedFilters conditions that clients cannot change, as for `@ListQuery()`
 * @throws Error at import, if the list declares no facets
 * @example
 * @Get('facets')
 * facets(@FacetsQuery(productList) query: ListQuery): Promise<Facets> { return this.products.facets(query); }
 */
export function FacetsQuery(list: ListDefinition, fixedFilters: FixedFilterSources = {}): ParameterDecorator {
  const type = facetsDtoFor(list);
  const answers = { status: 200, kind: 'facets', type } as const;
  const query = ListQuery({ ...list, parameters: [] }, fixedFilters);
  const route = decorateRoute(
    routePolicy({ list, success: answers, response: { 200: jsonSchemaFor(type) } }),
    ApiExtraModels(type),
    ApiResponse({ status: 200, description: 'The facets of the list.' }),
  );
  return (...parameter) => {
    query(...parameter);
    route(...parameter);
  };
}

const facetDtos = new WeakMap<ListDefinition, Dto>();

function facetsDtoFor(list: ListDefinition): Dto {
  const { name, entity, facets } = list;
  const properties = Object.entries(facets).map(([property, facet]): [string, PropertyDecorator] => {
    const field = fieldsOf(entity).get(property);
    if (!field) throw new Error(`list ${name}, facet ${property}: ${entity.name} has no field ${property}`);
    const { example, nullable } = field.options;
    const value = (options: FieldOptions): PropertyDecorator =>
      declareField(field.type, { example, column: false, ...options });
    const schema = `${entity.name}Facets${property.charAt(0).toUpperCase()}${property.slice(1)}`;
    if (facet === 'range') {
      const bound = (word: string): PropertyDecorator =>
        value({ nullable: true, description: `The ${word} value, or \`null\` if there is none.` });
      return [property, Nested(createDto({ min: bound('lowest'), max: bound('highest') }, schema))];
    }
    const count = Integer({ min: 1, max: Number.MAX_SAFE_INTEGER, example: 12 });
    const counted = createDto({ value: value({ nullable }), count }, schema);
    const description = 'How many items have each value, the most frequent value first.';
    return [property, ListOf(counted, { min: 0, max: MAX_FACET_VALUES, description })];
  });
  if (properties.length === 0) throw new Error(`list ${name} declares no facets`);
  const dto = facetDtos.get(list) ?? createDto(Object.fromEntries(properties), `${entity.name}Facets`);
  facetDtos.set(list, dto);
  return dto;
}
