import { pause } from './deadline.js';
import { ApiError } from './errors.js';
import { List, type PagePosition } from './list.js';
import { IDEMPOTENCY_KEY, randomKey } from './retries.js';
import type { Transport } from './transport.js';
import type {
  Call,
  Change,
  CreateOptions,
  CursorPage,
  ListQuery,
  OffsetPage,
  Query,
  RequestOptions,
  Result,
  WriteOptions,
} from './types.js';

/**
 * An operation in the generated table: flags, method, path below the version and, for the PATCH of a readable resource,
 * the writable fields. The flags are:
 * `b`: has a body · `k`: accepts an idempotency key · `l`: is a list · `q`: has a query · `t`: returns another media
 * type than JSON · `u`: is an `update`, which reads, changes and writes
 */
export type Operation = `${string} ${string} ${string}`;

type Values = readonly unknown[];

/** The property of a PATCH result that has the names of the writable fields. All other fields are read-only. */
export const WRITABLE = Symbol.for('@plinth/client writable');

/** The maximum number of further attempts after a conflict with another writer. */
export const MAX_CONFLICTS = 10;
/** The maximum pause after the first conflict, in milliseconds. It doubles with each further conflict. */
const CONFLICT_PAUSE_MS = 25;

/** The function of an operation. Its arguments are the ids of the path, the body or the query (if any), and options. */
export interface Bound {
  (...values: Values): unknown;
  /** The index of the options among the arguments. */
  optionsAt?: number;
  isList?: boolean;
}

/** Creates the function of an operation. */
export function bind(transport: Transport, name: string, root: string, operation: Operation): Bound {
  const [flags = '', method = '', template = '', fields] = operation.split(' ');
  const ids = template.match(/\{\w+\}/g)?.length ?? 0;
  const has = (flag: string): boolean => flags.includes(flag);
  const takesInput = has('b') || has('q') || has('l') || has('u');
  const optionsAt = takesInput ? ids + 1 : ids;
  const callOf = (values: Values): Call => ({
    operation: name,
    method,
    path: root + fill(template, values, name),
    takesAnyType: has('t'),
    options: values[optionsAt] as RequestOptions | undefined,
  });
  if (has('l')) {
    const all: Bound = (...values) => list(transport, callOf(values), values[ids] as ListQuery<string>);
    return Object.assign(all, { optionsAt, isList: true });
  }
  const one: Bound = async (...values) => {
    const call = callOf(values);
    const input = takesInput ? values[ids] : undefined;
    if (has('u')) return update(transport, call, input as Change<object, object>);
    const { ifMatch, idempotencyKey } = (call.options ?? {}) as CreateOptions & WriteOptions;
    const result = await transport.send({
      ...call,
      ...(has('b') ? { body: input } : { query: input as Query }),
      headers: {
        'If-Match': condition(name, ifMatch),
        ...(has('k') && { [IDEMPOTENCY_KEY]: idempotencyKey ?? randomKey() }),
      },
    });
    return fields ? Object.defineProperty(result, WRITABLE, { value: fields.split(',') }) : result;
  };
  return Object.assign(one, { optionsAt });
}

/**
 * Returns the value of `If-Match`. Removes `W/`, which a compressing proxy may have added: the API needs a strong tag.
 *
 * @throws TypeError for `null`, which is the `etag` of a response without an entity tag. A write without `If-Match` could
 * overwrite other changes.
 */
function condition(name: string, etag: string | null | undefined): string | undefined {
  if (etag === null) throw new TypeError(`${name}: ifMatch must be an entity tag (got null)`);
  return etag?.replace(/^W\//, '');
}

/** Fills in the ids of a path. @throws TypeError for a missing id, or an id such as `..` that would change the path */
function fill(template: string, values: Values, name: string): string {
  let index = 0;
  return template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = values[index++];
    const isId =
      (typeof value === 'number' && Number.isFinite(value)) ||
      (typeof value === 'string' && !/^\.{0,2}$/.test(value));
    if (!isId) throw new TypeError(`${name}: ${parameter} must be an id (got ${String(value)})`);
    return encodeURIComponent(value);
  });
}

function list(transport: Transport, call: Call, { limit, ...query }: ListQuery<string> = {}): List<unknown> {
  return new List(async (position: PagePosition) => {
    const { data, etag } = await transport.send<OffsetPage<unknown> | CursorPage<unknown>>({
      ...call,
      query: { limit, ...query, ...position },
    });
    return { ...data, etag };
  }, limit);
}

/** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
async function update(
  transport: Transport,
  call: Call,
  change: Change<object, object>,
): Promise<Result<object>> {
  for (let conflicts = 0; ; conflicts++) {
    const current = await transport.send<object>({ ...call, method: 'GET' });
    const body = await change(current.data);
    if (body === undefined || Object.keys(body).length === 0) return current;
    try {
      return await transport.send<object>({
        ...call,
        body,
        headers: { 'If-Match': condition(call.operation, current.etag) },
      });
    } catch (error) {
      const isOvertaken = error instanceof ApiError && error.code === 'PRECONDITION_FAILED';
      if (!isOvertaken || conflicts >= MAX_CONFLICTS) throw error;
      // A random pause, so that concurrent writers do not collide again.
      await pause(Math.random() * CONFLICT_PAUSE_MS * 2 ** conflicts, call.options?.signal);
    }
  }
}

/** The options of a request that the generated client has no method for. */
export interface CustomRequest extends RequestOptions {
  readonly query?: Query;
  /** JSON, `FormData` or a `Blob`. */
  readonly body?: unknown;
}
