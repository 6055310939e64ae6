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
 * An operation as the generated table has it: flags, method, path below the version, and of a PATCH of what can be read
 * the fields that clients may write.
 * `b`: takes a body · `k`: takes an idempotency key · `l`: lists · `q`: takes a query · `t`: answers another media
 * type than JSON · `u`: reads, changes, writes
 */
export type Operation = `${string} ${string} ${string}`;

type Values = readonly unknown[];

/** On the result of a PATCH: the names of the fields that clients may write. All others are the server's own. */
export const WRITABLE = Symbol.for('@plinth/client writable');

/** Writes of others that `update` gives way to before it gives up. */
export const MAX_CONFLICTS = 10;
/** The longest pause after the first of them, in milliseconds; after each other one it is twice as long. */
const CONFLICT_PAUSE_MS = 25;

/** The function of an operation. Its arguments: the ids of the path, body or query where it takes one, options. */
export interface Bound {
  (...values: Values): unknown;
  /** The place of the options among the arguments. */
  optionsAt?: number;
  isList?: boolean;
}

/** Makes the function of an operation. */
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
 * The value of `If-Match`. The API compares strongly; a proxy that compresses may have made its validators weak.
 *
 * @throws TypeError for the `etag` of a response without one, which would write over the changes of others
 */
function condition(name: string, etag: string | null | undefined): string | undefined {
  if (etag === null) throw new TypeError(`${name}: ifMatch is null, so that nothing would be compared`);
  return etag?.replace(/^W\//, '');
}

/** @throws TypeError where an id is missing or a step in a path (`..`), which would ask for another path */
function fill(template: string, values: Values, name: string): string {
  let index = 0;
  return template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = values[index++];
    const isId =
      (typeof value === 'number' && Number.isFinite(value)) ||
      (typeof value === 'string' && !/^\.{0,2}$/.test(value));
    if (!isId) throw new TypeError(`${name}: ${parameter} is ${String(value)}, not an id`);
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

/** Reads, lets the caller change, and writes only what is unchanged since; else again. */
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
      // Random, so that writers at once do not meet again.
      await pause(Math.random() * CONFLICT_PAUSE_MS * 2 ** conflicts, call.options?.signal);
    }
  }
}

/** The options of an operation that is none of the generated ones. */
export interface CustomRequest extends RequestOptions {
  readonly query?: Query;
  /** JSON, `FormData` or a `Blob`. */
  readonly body?: unknown;
}
