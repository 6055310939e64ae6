import { HttpCode, Type } from '@nestjs/common';
import * as metadata from '@nestjs/common/constants.js';
import { ApiBody, ApiExtraModels, ApiResponse } from '@nestjs/swagger';

import { PERMISSION_OF } from '../../access/grants.js';
import { Dto } from '../../fields/field.js';
import { isDto } from '../../fields/shape.js';
import { policyOf, requestParameter, RoutePolicy, routePolicy } from '../../http/route-policy.js';
import { documentedType, Shown } from '../openapi/answers.decorator.js';
import { Batch as Operations, BatchedRoute } from './batch.js';
import { batchDtosOf, operationDtoOf, OperationMethod } from './batch-dtos.js';

/**
 * The operations of a POST that stand for requests to the other routes of its controller: `@Post()`, `@Patch(':id')`
 * and `@Delete(':id')`, as far as there are any.
 * @example
 * @Post('batch')
 * batch(@Batch() batch: Batch): Promise<BatchResults> { return batch.run(this.products); }
 */
export const Batch = requestParameter(
  (request) => new Operations(request),
  routePolicy({ isTransactional: true, batch: new Map() }),
);
export type Batch = Operations;

export interface Route {
  readonly controller: Type;
  readonly name: string;
  readonly handler: object;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
}

const COMBINED: readonly (readonly [OperationMethod, string, RegExp])[] = [
  ['create', 'POST', /^$/],
  ['update', 'PATCH', /^:\w+$/],
  ['delete', 'DELETE', /^:\w+$/],
];

/** What a route that takes batches of what others of its controller do is decorated with. */
export function takesBatch(
  { controller, name, path }: Route,
  all: readonly Route[],
  inVersion: Readonly<Record<number, RoutePolicy>>,
): MethodDecorator[] {
  const shows = Object.values(inVersion)[0]?.shows as Shown;
  const batch = new Map<string, BatchedRoute>();
  for (const [operation, method, pattern] of COMBINED) {
    const route = all.find((other) => other.method === method && pattern.test(other.path));
    if (!route) continue;
    const { access } = { ...policyOf(controller), ...policyOf(route.handler) };
    batch.set(operation, {
      method,
      path: route.path && `/${route.path}`,
      dto: operationDtoOf(operation, bodyOf(route), shows.type),
      permission: access?.isPublic === false ? access.permission : (PERMISSION_OF[method] ?? 'read'),
    });
  }
  if (batch.size === 0 || !/^[\w-]+$/.test(path))
    throw new Error(
      `${controller.name}.${name}: @Batch() belongs on a path of one word, beside @Post(), @Patch(':id') or @Delete(':id')`,
    );
  const operations = new Map([...batch].map(([operation, { dto }]) => [operation, dto]));
  const { request } = batchDtosOf(operations, shows);
  const answers = Object.entries(inVersion).map(([version, policy]): [string, RoutePolicy] => {
    const { response: type, serialized } = batchDtosOf(operations, policy.shows as Shown);
    return [
      version,
      { ...policy, answers: { status: 200, kind: 'object', type }, response: { 200: serialized } },
    ];
  });
  return [
    HttpCode(200),
    ApiBody({ type: request }),
    ApiExtraModels(...answers.flatMap(([, policy]) => policy.answers?.type ?? [])),
    ApiResponse({ status: 200, description: 'A result for each operation, in their order.' }),
    routePolicy({
      takesBody: true,
      inVersion: Object.fromEntries(answers),
      batch,
      batchDto: request,
      requestsIn: (body) => {
        const { operations } = (body ?? {}) as { operations?: unknown };
        // What is no list, validation refuses. Its `length` is what the client says.
        return Array.isArray(operations) ? Math.max(1, operations.length) : 1;
      },
    }),
  ];
}

/** The DTO of a route's body. @throws Error where a batch would leave out what the route does */
function bodyOf({ controller, name, handler }: Route): Dto | undefined {
  // Nest has no other way to tell the pipes of one parameter.
  const declared = Reflect.getMetadata(metadata.ROUTE_ARGS_METADATA, controller, name) as object | undefined;
  const pipes = Object.values(declared ?? {}).flatMap(
    ({ pipes: own = [], data }: { pipes?: unknown[]; data?: unknown }) => (data === undefined ? own : []),
  );
  const isGuarded = [metadata.GUARDS_METADATA, metadata.PIPES_METADATA].some((key) =>
    Reflect.hasMetadata(key, handler),
  );
  const shown = documentedType(handler, 201) ?? documentedType(handler, 200);
  if (isGuarded || pipes.length > 0 || shown)
    throw new Error(
      `${controller.name}.${name} has guards, pipes or a response of its own, which @Batch() leaves out`,
    );
  const { prototype } = controller as { prototype: object };
  const types = (Reflect.getMetadata(metadata.PARAMTYPES_METADATA, prototype, name) ?? []) as unknown[];
  return types.find(isDto);
}
