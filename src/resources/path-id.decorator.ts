import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { FastifyRequest } from 'fastify';

import '../access/access.hook.js';
import '../access/grant-links.js';
import { EVERYTHING, Visibility } from '../access/visibility.js';
import { SCOPE } from '../database/row-scope.js';
import { isUuid, MAX_ID } from '../fields/kinds.js';
import { ApiError } from '../http/errors/api-error.js';
import { INVALID_ID } from '../http/errors/http.errors.js';
import { RequestScope } from '../http/request-scope.js';
import { routePolicy } from '../http/route-policy.js';
import { PathName } from './path-names.js';
import { RowId } from './resource-repository.js';

/** Larger than any id the database gives, and still an integer: no resource has it. */
export const NO_SUCH_ID = 0;

/**
 * Reads an id of a path: decimal digits only.
 *
 * @returns the id, or `NO_SUCH_ID` for an integer that no resource can have (zero, negative, too large)
 * @throws ApiError `INVALID_ID` where it is no integer
 */
export function readId(text: string, name: string): number {
  if (!/^-?\d+$/.test(text)) {
    const got = text.length > 40 ? `a text of ${text.length} characters` : JSON.stringify(text);
    const message = `got ${got}, takes a positive integer`;
    throw new ApiError(INVALID_ID, `${name}: ${message}`, {
      details: [{ field: name, code: 'WRONG_TYPE', message }],
    });
  }
  const id = Number(text);
  return id >= 1 && id <= MAX_ID ? id : NO_SUCH_ID;
}

/** Reads a UUID of a path. @returns it in lower case @throws ApiError `INVALID_ID` where it is none */
function readUuid(text: string, name: string): string {
  if (isUuid(text)) return text.toLowerCase();
  const got = text.length > 40 ? `a text of ${text.length} characters` : JSON.stringify(text);
  const message = `got ${got}, takes a UUID`;
  const details = [{ field: name, code: 'WRONG_TYPE', message }];
  throw new ApiError(INVALID_ID, `${name}: ${message}`, { details });
}

type Parameters = Readonly<Record<string, string>>;

interface IdParameter {
  readonly name: string;
  readonly isUuid: boolean;
}

const read = createParamDecorator(({ name, isUuid: takesUuid }: IdParameter, context: ExecutionContext) => {
  const params = context.switchToHttp().getRequest<FastifyRequest>().params as Parameters;
  return (takesUuid ? readUuid : readId)(params[name] ?? '', name);
});

/** The id that a path parameter of a request holds. @throws ApiError `INVALID_ID` */
export function valueOf(
  { parameter, isUuid: takesUuid }: PathName,
  request: FastifyRequest,
): number | string {
  const text = (request.params as Parameters)[parameter] ?? '';
  return takesUuid ? readUuid(text, parameter) : readId(text, parameter);
}

/** Narrows rows to those under what a path parameter names. */
export const scopeOf = (name: PathName): RequestScope => ({
  property: name.property,
  valueOf: (request) => valueOf(name, request),
});

interface KeyParts {
  readonly names: readonly PathName[];
  readonly scopes: readonly RequestScope[];
}

export const readKey = (data: unknown, context: ExecutionContext): object => {
  const { names, scopes } = data as KeyParts;
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const key: Record<string | symbol, unknown> = {};
  for (const name of names) key[name.property] = valueOf(name, request);
  for (const { property, valueOf: valueIn } of scopes) {
    const value = valueIn(request);
    if (value !== undefined) key[property] = value;
  }
  if (request.visibility !== EVERYTHING) key[SCOPE] = request.visibility;
  return key;
};

const keyParameter = createParamDecorator(readKey);

/**
 * An id of the path: a number or, on a parameter of type `string`, a UUID in lower case.
 *
 * @param name the path parameter
 * @throws ApiError `INVALID_ID`
 */
export function PathId(name = 'id'): ParameterDecorator {
  return (target, method, index) => {
    if (method === undefined) throw new Error('@PathId() belongs on a parameter of a route');
    const types = Reflect.getMetadata('design:paramtypes', target, method) as unknown[] | undefined;
    const takesUuid = types?.[index] === String;
    read({ name, isUuid: takesUuid })(target, method, index);
    document(name, target, method, takesUuid ? UUID_PARAMETER : ID_PARAMETER);
  };
}

/**
 * The key of the row that the path names: its id and, where its resource has a `parent`, what it belongs to. Ids are
 * numbers or, where the entity has UUIDs, UUIDs in lower case. It carries the caller's visibility: the repository
 * judges the row by it where it is read or written.
 *
 * @param scopes what else must be true of the row
 * @throws ApiError `INVALID_ID`
 * @example get(@PathKey() key: PathKey<Review>) { return this.reviews.get(key); } // { productId: 1, id: 9 }
 * @example get(@PathKey(ofSelf('userId')) key: PathKey<Session>) { … }
 */
export function PathKey(...scopes: RequestScope[]): ParameterDecorator {
  return (target, method, index) => {
    if (method === undefined) throw new Error('@PathKey() belongs on a parameter of a route');
    keyParameter({ names: [], scopes })(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    routePolicy({ judgesRows: true })(target, method, descriptor);
  };
}
/** @typeParam Parents the properties that hold what the row belongs to */
export type PathKey<Row extends { readonly id: RowId }, Parents extends keyof Row = 'id'> = Pick<
  Row,
  'id' | Parents
> & { readonly [SCOPE]?: Visibility };

/** Documents the parameters of a path. */
export function documentPath(names: readonly PathName[]): MethodDecorator {
  return (target, method, descriptor) => {
    for (const { parameter, isUuid: takesUuid } of names)
      ApiParam({ name: parameter, ...(takesUuid ? UUID_PARAMETER : ID_PARAMETER) })(
        target,
        method,
        descriptor,
      );
  };
}

const ID_PARAMETER = { schema: { type: 'integer', minimum: 1 }, example: 42 };

const UUID_PARAMETER = {
  schema: { type: 'string', format: 'uuid' },
  example: '0197d3a0-7c1e-7b2a-9d4f-3b1c5e6f7a8b',
};

function document(
  name: string,
  target: object,
  method: string | symbol,
  parameter: object = ID_PARAMETER,
): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
  ApiParam({ name, ...parameter })(target, method, descriptor);
}
