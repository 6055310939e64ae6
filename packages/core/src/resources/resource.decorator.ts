import { grantSourcesOf } from '../access/row-limits.js';
import { hash } from 'node:crypto';

import { applyDecorators, Controller, Type, UseInterceptors } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import { getMetadataArgsStorage } from 'typeorm';

import { registerRows } from '../access/row-limits.js';
import { swaggerOnlyProperties, Dto, FieldClass, fieldsOf } from '../fields/field.js';
import { ApiVersion } from '../http/negotiation/api-versions.js';
import { CSV_TYPE, JSON_TYPE } from '../http/negotiation/media-types.js';
import { readRoutePolicy, RoutePolicy, routePolicy } from '../routes/route-policy.js';
import { PageInterceptor } from '../lists/page.interceptor.js';
import {
  copyInheritedRoute,
  httpCodeOf,
  metadataOf,
  overridesWithoutRoute,
  Route,
  RouteHandler,
  routesOf,
  sendsEvents,
} from '../nest/route-metadata.js';
import { batchDecorators } from './batch/batch.decorator.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import {
  ApiNoContent,
  documentedType,
  pagePolicy,
  responseSchemaFor,
} from './openapi/api-responses.decorator.js';
import { collectionName, ResourceOptions } from './resource.js';
import { RowInterceptor } from './row.interceptor.js';

/**
 * Declares a controller whose routes serve one resource. It applies `@Controller()` and `@ApiTags()`. It also gives each
 * route the response schema, caching, grants and documentation of the resource, and an interceptor: `PageInterceptor` for
 * a list, `IdempotencyInterceptor` for a POST, `RowInterceptor` for other routes. Decorators on a route override this.
 *
 * A later version of the resource extends the controller of the earlier version, and overrides the routes that differ. The
 * inherited routes respond with the DTO of the later version.
 *
 * Do not use it for routes without rows, such as a login: use `@Controller()` and `@ApiObjectResponse()` there.
 * @throws Error at import, with the class and method, if a POST lacks `@Transaction()` or `@SingleStatement()`,
 * if another method has one of them, if a POST with `@SingleStatement()` serves an entity with computed fields, if a
 * controller of another path or entity is extended, or if an override has no route decorator
 * @example
 * @Resource({ ...PRODUCTS, version: '1', responseDto: ProductDto })
 * export class ProductsController { … }
 *
 * @Resource({ ...PRODUCTS, version: '2', responseDto: ProductV2Dto })
 * export class ProductsV2Controller extends ProductsController { … }
 */
export function Resource<Row extends object>(options: ResourceOptions<Row>): ClassDecorator {
  const { path, responseDto } = options;
  const version =
    options.version ?? (typeof responseDto === 'function' ? undefined : Object.keys(responseDto));
  const collection = collectionName(options);
  const tag = collection.charAt(0).toUpperCase() + collection.slice(1).replaceAll('-', ' ');
  const servesEveryVersion = version === undefined;
  const decorators = [Controller({ path, version }), ApiTags(tag), routePolicy({ servesEveryVersion })];
  return applyDecorators(...decorators, (controller: object) => {
    const resource = { ...options, version } as unknown as ResourceOptions;
    registerRows(resource);
    const routes = resourceRoutesOf(controller as Type, resource);
    for (const route of routes) completeResourceRoute(route, resource, routes);
  });
}

/** The metadata that routes had before `@Resource()` completed them. Inherited routes start from it. */
const declaredMetadata = new WeakMap<RouteHandler, ReadonlyMap<unknown, unknown>>();

/**
 * Returns the routes of a controller. An inherited route gets a method of its own, with the metadata of its declaration.
 * @throws Error for an inherited route of another resource, and for an override that drops a route
 */
function resourceRoutesOf(controller: Type, { entity, path }: ResourceOptions): Route[] {
  const [lost] = overridesWithoutRoute(controller);
  if (lost !== undefined)
    throw new Error(
      `${controller.name}.${lost} overrides a route, but has no @Get(), @Post(), @Put(), @Patch() or @Delete()`,
    );
  return routesOf(controller).map((route) => {
    const { name, handler, isInherited } = route;
    const metadata = declaredMetadata.get(handler) ?? metadataOf(handler);
    const { resource } = readRoutePolicy(handler);
    if (isInherited && (resource?.entity !== entity || resource.path !== path))
      throw new Error(
        `${controller.name} inherits the route ${name}() from a controller of another resource: declare it in this class`,
      );
    const own = isInherited ? copyInheritedRoute(route, metadata) : handler;
    declaredMetadata.set(own, metadata);
    return { ...route, handler: own };
  });
}

function completeResourceRoute(route: Route, resource: ResourceOptions, all: readonly Route[]): void {
  const { controller, name, handler } = route;
  const { map, cache } = resource;
  const own = { ...readRoutePolicy(controller), ...readRoutePolicy(handler) };
  if (route.method !== 'POST' && own.isTransactional)
    throw new Error(`${controller.name}.${name}: @Transaction() and @SingleStatement() are only for POST`);
  if (route.method === 'POST' && !own.isTransactional)
    throw new Error(
      `${controller.name}.${name}: a POST must have @Transaction() or @SingleStatement(), so that clients can repeat it`,
    );
  const computed = [...fieldsOf(resource.entity)].find(([, { options }]) => options.computed)?.[0];
  if (own.isSingleStatement && computed !== undefined)
    throw new Error(
      `${controller.name}.${name}: @SingleStatement() must not be used if the entity has computed fields, which a second ` +
        `statement reads (got ${resource.entity.name}.${computed}): use @Transaction()`,
    );
  const inVersion = versionPolicy(route, own, resource);
  const decorators = [
    ...responseDecorators(route, own, inVersion(firstVersion(resource), {})),
    ...(route.method === 'POST' ? [ApiHeader(IDEMPOTENCY_KEY_HEADER)] : []),
    routePolicy({
      resource,
      pathInResource: route.path,
      ...(own.list && !own.success && { produces: [JSON_TYPE, CSV_TYPE] }),
      map,
      grants: resource.grants || resource.rows ? grantSourcesOf(resource) : undefined,
      ...(cache && route.method !== 'DELETE' && { cache }),
      ...own,
      inVersion,
    }),
    ...(own.batch ? batchDecorators(route, all, resource, inVersion, firstVersion(resource)) : []),
  ];
  applyDecorators(...decorators)(controller.prototype as object, name, { value: handler });
}

/** Returns the interceptor of a route, and the documentation of its response if the route does not document it itself. */
function responseDecorators(
  { handler, method }: Route,
  own: RoutePolicy,
  { success }: RoutePolicy,
): MethodDecorator[] {
  if (sendsEvents(handler)) return [];
  if (method === 'DELETE') return own.success ? [] : [ApiNoContent()];
  const interceptor = method === 'POST' ? IdempotencyInterceptor : RowInterceptor;
  const documentation: MethodDecorator[] = [];
  const status = success?.status;
  const ofRow = status === 201 ? 'The created resource.' : 'The current resource.';
  if (status !== undefined && !documentedType(handler, status))
    documentation.push(ApiResponse({ status, description: own.list ? 'A page of the list.' : ofRow }));
  return [UseInterceptors(own.list ? PageInterceptor : interceptor), ...documentation];
}

/** The versions that a resource names: none if it serves every version. */
const namedVersions = ({ version = [] }: ResourceOptions): number[] => [version].flat().map(Number);

const firstVersion = (resource: ResourceOptions): number => namedVersions(resource)[0] ?? 1;

/**
 * Returns a function that makes the policy of a route in a version of the API.
 * @throws Error for a version without a DTO, and for a DTO that rows do not fit
 */
function versionPolicy(
  { handler, method }: Route,
  own: RoutePolicy,
  resource: ResourceOptions,
): VersionPolicy {
  const { responseDto, entity, map } = resource;
  const status = httpCodeOf(handler) ?? (method === 'POST' ? 201 : 200);
  const documented = own.list ? undefined : documentedType(handler, status);
  const hasRows = !own.success && !own.batch && method !== 'DELETE' && !sendsEvents(handler);
  const inVersion = (version: number, { showsEntityTags = false }: ApiVersion): RoutePolicy => {
    const dto = typeof responseDto === 'function' ? responseDto : responseDto[version];
    if (!dto) throw new Error(`responseDto has no DTO for version ${version}`);
    if (!map) for (const name of swaggerOnlyProperties(dto).keys()) assertColumn(entity, name, dto);
    const tagged = showsEntityTags ? version : undefined;
    // A GET responds with this schema. The response to a write may have more properties.
    const read = responseSchemaFor((method === 'GET' && documented) || dto, tagged);
    const shown = documented ? responseSchemaFor(documented, tagged) : read;
    // A strong entity tag consists of this digest, the id of the row and its version (RFC 9110 §8.8.3).
    const schemaHash = hash('sha256', JSON.stringify(read.schema)).slice(0, 8);
    const { type, schema } = shown;
    const row = { success: { status, kind: 'resource', type }, response: { [status]: schema } } as const;
    const answers = hasRows && (own.list ? pagePolicy(shown) : row);
    return { ...answers, rowResponse: shown, showsEntityTag: showsEntityTags, schemaHash };
  };
  for (const version of namedVersions(resource)) inVersion(version, {});
  return memoizePolicies(inVersion);
}

type VersionPolicy = NonNullable<RoutePolicy['inVersion']>;

/** A GET and its HEAD share one policy, so that the document shows one class for each schema. */
function memoizePolicies(inVersion: VersionPolicy): VersionPolicy {
  const made = new Map<string, RoutePolicy>();
  return (version, declared) => {
    const key = `${version} ${declared.showsEntityTags === true}`;
    const policy = made.get(key) ?? inVersion(version, declared);
    made.set(key, policy);
    return policy;
  };
}

/** @throws Error if a property of the response is not a column of the entity */
function assertColumn(entity: FieldClass, property: string, dto: Dto): void {
  const isColumn = getMetadataArgsStorage().columns.some(
    ({ target, propertyName, options }) =>
      propertyName === property &&
      options.select !== false &&
      (target === entity || entity.prototype instanceof (target as FieldClass)),
  );
  if (!isColumn)
    throw new Error(
      `${dto.name}.${property} is described by @ApiProperty(), but ${entity.name} has no such column: make it in \`map\``,
    );
}

const IDEMPOTENCY_KEY_HEADER = {
  name: 'Idempotency-Key',
  required: false,
  description: 'A key that you choose for this request, such as a UUID.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
