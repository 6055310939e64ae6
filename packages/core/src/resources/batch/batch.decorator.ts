import { HttpCode } from '@nestjs/common';
import { ApiBody, ApiResponse } from '@nestjs/swagger';

import { PERMISSION_BY_METHOD } from '../../access/grants.js';
import { Dto } from '../../fields/field.js';
import { isDto } from '../../fields/dto-schema.js';
import { readRoutePolicy, RoutePolicy, routePolicy } from '../../routes/route-policy.js';
import { createRequestDecorator } from '../../routes/request.js';
import { guardsOf, parametersOf, pipesOf, Route } from '../../nest/route-metadata.js';
import { documentedType, ResponseSchema } from '../openapi/api-responses.decorator.js';
import { ResourceOptions } from '../resource.js';
import { BatchOperations, BatchedRoute } from './batch.js';
import { createOperationDto, createBatchDtos } from './batch-dtos.js';

/**
 * Lets a client send many writes in one request and one transaction. Each operation has the effect of a request to
 * `@Post()`, `@Patch(':id')` or `@Delete(':id')` of the same controller, and needs the same permissions. It calls the
 * service, not the method of the controller.
 *
 * Do not use it if one of these routes has guards, pipes or a response DTO of its own, because a batch would skip them.
 * @throws Error at import, if the controller has none of these routes, or if one of them cannot be part of a batch
 * @example
 * @Post('batch')
 * batch(@Batch() batch: Batch): Promise<BatchResults> { return batch.run(this.products); }
 */
export const Batch = createRequestDecorator(
  (request) => new BatchOperations(request),
  routePolicy({ isTransactional: true, batch: new Map() }),
);
export type Batch = BatchOperations;

const BATCH_METHODS: readonly (readonly [string, string, RegExp])[] = [
  ['create', 'POST', /^$/],
  ['update', 'PATCH', /^:\w+$/],
  ['delete', 'DELETE', /^:\w+$/],
];

/**
 * Returns the decorators for a route with `@Batch()`. They declare its DTOs, and the routes that its operations
 * correspond to.
 */
export function batchDecorators(
  { controller, name, path }: Route,
  all: readonly Route[],
  resource: ResourceOptions,
  inVersion: NonNullable<RoutePolicy['inVersion']>,
  version: number,
): MethodDecorator[] {
  const shows = inVersion(version, {}).rowResponse as ResponseSchema;
  const batch = new Map<string, BatchedRoute>();
  for (const [operation, method, pattern] of BATCH_METHODS) {
    const route = all.find((other) => other.method === method && pattern.test(other.path));
    if (!route) continue;
    const { access } = { ...readRoutePolicy(controller), ...readRoutePolicy(route.handler) };
    batch.set(operation, {
      method,
      path: route.path && `/${route.path}`,
      dto: createOperationDto(operation, bodyDtoFor(route), shows.type),
      permission: access?.isPublic === false ? access.permission : (PERMISSION_BY_METHOD[method] ?? 'read'),
    });
  }
  if (batch.size === 0 || !/^[\w-]+$/.test(path))
    throw new Error(
      `${controller.name}.${name}: @Batch() needs a path of one word, and @Post(), @Patch(':id') or @Delete(':id') in its controller`,
    );
  const { request } = createBatchDtos(batch, shows, resource);
  return [
    HttpCode(200),
    ApiBody({ type: request }),
    ApiResponse({ status: 200, description: 'One result for each operation, in the same order.' }),
    routePolicy({
      hasBodyDto: true,
      inVersion: (...args) => {
        const policy = inVersion(...args);
        const { response: type, serialized } = createBatchDtos(
          batch,
          policy.rowResponse as ResponseSchema,
          resource,
        );
        return { ...policy, success: { status: 200, kind: 'object', type }, response: { 200: serialized } };
      },
      batch,
      batchDto: request,
      countRequests: (body) => {
        const { operations } = (body ?? {}) as { operations?: unknown };
        // The body is not validated yet: `operations` may be an object with any `length` that the client chose.
        return Array.isArray(operations) ? Math.max(1, operations.length) : 1;
      },
    }),
  ];
}

/**
 * Returns the DTO of the body of a route.
 * @throws Error if the route has guards, pipes or a response of its own, which a batch would skip
 */
function bodyDtoFor({ controller, name, handler }: Route): Dto | undefined {
  const parameters = parametersOf(controller, name);
  const pipes = parameters.flatMap((parameter) => (parameter.data === undefined ? parameter.pipes : []));
  const isGuarded = guardsOf(handler).length > 0 || pipesOf(handler).length > 0;
  const shown = documentedType(handler, 201) ?? documentedType(handler, 200);
  if (isGuarded || pipes.length > 0 || shown)
    throw new Error(
      `${controller.name}.${name} has guards, pipes or a response of its own, which @Batch() would skip`,
    );
  const body = parameters.find(({ source, type }) => source === 'BODY' && isDto(type));
  return body?.type as Dto | undefined;
}
