import { hash } from 'node:crypto';

import { applyDecorators, Controller, RequestMethod, Type, UseInterceptors } from '@nestjs/common';
import * as metadata from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { ApiExtraModels, ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import { getMetadataArgsStorage } from 'typeorm';

import { swaggerOnlyProperties, Dto, FieldClass } from '../fields/field.js';
import { CSV_TYPE, JSON_TYPE } from '../http/negotiation/media-types.js';
import { readRoutePolicy, RoutePolicy, routePolicy } from '../http/route-policy.js';
import { PageInterceptor } from '../lists/page.interceptor.js';
import { ResourceRoute, batchDecorators } from './batch/batch.decorator.js';
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
 * A controller of the routes of one resource: `@Controller()`, `@ApiTags()`, and on each route that its class writes
 * the interceptor, schema, caching, grants and documentation that follow from the resource, where it has not its own.
 * @throws Error for a route that would not be one of this resource, naming class and method
 * @example
 * @Resource({ ...PRODUCTS, version: '1', shows: ProductDto })
 * export class ProductsController { … }
 */
export function Resource<Row extends object>(options: ResourceOptions<Row>): ClassDecorator {
  const { path, version } = options;
  const collection = collectionName(options);
  const tag = collection.charAt(0).toUpperCase() + collection.slice(1).replaceAll('-', ' ');
  return applyDecorators(Controller({ path, version }), ApiTags(tag), (controller: object) => {
    const routes = routesOf(controller as Type);
    for (const route of routes) completeResourceRoute(route, options, routes);
  });
}

const isRoute = (handler: unknown): handler is object =>
  typeof handler === 'function' && Reflect.hasMetadata(metadata.PATH_METADATA, handler);

/** The routes that a class writes itself. An inherited one belongs to the resource of the class that wrote it. */
function routesOf(controller: Type): ResourceRoute[] {
  const prototype = controller.prototype as Readonly<Record<string, unknown>>;
  const parent = Object.getPrototypeOf(prototype) as typeof prototype;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name): ResourceRoute[] => {
    const handler = prototype[name];
    const isOwn = Object.hasOwn(prototype, name);
    if (isRoute(handler) && !isOwn)
      throw new Error(
        `${controller.name} inherits the route ${name}(), which is of another resource: write it`,
      );
    if (isRoute(handler)) {
      const [path = ''] = [Reflect.getMetadata(metadata.PATH_METADATA, handler) as string | string[]].flat();
      const method = RequestMethod[
        Reflect.getMetadata(metadata.METHOD_METADATA, handler) as number
      ] as ResourceRoute['method'];
      return [{ controller, name, handler, method, path: path === '/' ? '' : path }];
    }
    if (isOwn && isRoute(parent[name]))
      throw new Error(
        `${controller.name}.${name} overrides a route, but has no @Get(), @Post(), @Put(), @Patch() or @Delete()`,
      );
    return [];
  });
}

function completeResourceRoute(
  route: ResourceRoute,
  resource: ResourceOptions,
  all: readonly ResourceRoute[],
): void {
  const { controller, name, handler } = route;
  const { map, grants, cache } = resource;
  const own = { ...readRoutePolicy(controller), ...readRoutePolicy(handler) };
  if (route.method !== 'POST' && own.isTransactional)
    throw new Error(`${controller.name}.${name}: only POST runs in a transaction`);
  if (route.method === 'POST' && !own.isTransactional)
    throw new Error(`${controller.name}.${name}: a POST takes @Transaction(), to be safe to repeat`);
  const inVersion = versionPolicies(route, own, resource);
  const decorators = [
    ...responseDecorators(route, own, inVersion),
    ...(route.method === 'POST' ? [ApiHeader(IDEMPOTENCY_KEY_HEADER)] : []),
    routePolicy({
      resource,
      pathInResource: route.path,
      ...(own.list && !own.success && { produces: [JSON_TYPE, CSV_TYPE] }),
      map,
      grants,
      ...(cache && route.method !== 'DELETE' && { cache }),
      ...own,
      byVersion: inVersion,
    }),
    ...(own.batch ? batchDecorators(route, all, inVersion) : []),
  ];
  applyDecorators(...decorators)(controller.prototype as object, name, { value: handler });
}

/** The interceptor of a route, and the documentation of its response unless the route has its own. */
function responseDecorators(
  { handler, method }: ResourceRoute,
  own: RoutePolicy,
  inVersion: Readonly<Record<number, RoutePolicy>>,
): MethodDecorator[] {
  if (Reflect.hasMetadata(metadata.SSE_METADATA, handler)) return [];
  if (method === 'DELETE') return own.success ? [] : [ApiNoContent()];
  const interceptor = method === 'POST' ? IdempotencyInterceptor : RowInterceptor;
  const answers = Object.values(inVersion).flatMap((policy) => policy.success ?? []);
  const documentation: MethodDecorator[] = [ApiExtraModels(...answers.flatMap(({ type }) => type ?? []))];
  const status = answers[0]?.status;
  const ofRow = status === 201 ? 'The resource that was created.' : 'The resource as it is now.';
  if (status !== undefined && !documentedType(handler, status))
    documentation.push(ApiResponse({ status, description: own.list ? 'A page.' : ofRow }));
  return [UseInterceptors(own.list ? PageInterceptor : interceptor), ...documentation];
}

/** From this version of the API on, responses show the entity tags of rows. */
const FIRST_VERSION_WITH_ENTITY_TAGS = 2;

function versionPolicies(
  { handler, method }: ResourceRoute,
  own: RoutePolicy,
  { version, responseDto, entity, map }: ResourceOptions,
): Record<number, RoutePolicy> {
  const status =
    (Reflect.getMetadata(metadata.HTTP_CODE_METADATA, handler) as 200 | 201 | undefined) ??
    (method === 'POST' ? 201 : 200);
  const documented = own.list ? undefined : documentedType(handler, status);
  const hasRows =
    !own.success && !own.batch && method !== 'DELETE' && !Reflect.hasMetadata(metadata.SSE_METADATA, handler);
  const versions = [version].flat().map((each): [number, RoutePolicy] => {
    const dto = typeof responseDto === 'function' ? responseDto : responseDto[each];
    if (!dto) throw new Error(`responseDto has no DTO for version ${each}`);
    if (!map) for (const name of swaggerOnlyProperties(dto).keys()) assertColumn(entity, name, dto);
    const showsEntityTag = Number(each) >= FIRST_VERSION_WITH_ENTITY_TAGS;
    // What a GET shows; the response to a write may show more.
    const read = responseSchemaFor((method === 'GET' && documented) || dto, showsEntityTag);
    const shown = documented ? responseSchemaFor(documented, showsEntityTag) : read;
    // With a row's id and version it makes a strong entity tag (RFC 9110 §8.8.3).
    const representation = hash('sha256', JSON.stringify(read.schema)).slice(0, 8);
    const { type, schema } = shown;
    const row = { success: { status, kind: 'resource', type }, response: { [status]: schema } } as const;
    const answers = hasRows && (own.list ? pagePolicy(shown) : row);
    return [Number(each), { ...answers, rowResponse: shown, showsEntityTag, schemaHash: representation }];
  });
  return Object.fromEntries(versions);
}

/** @throws Error for a property of responses that no row has */
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
  description: 'A key of your own for this request, such as a UUID.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
