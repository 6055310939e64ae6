/** Options of every operation. */
export interface RequestOptions {
  /** Aborts the request, including retries and pauses. The promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The time limit of an attempt, in milliseconds. 0 means no limit. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of further attempts after a failed one. */
  readonly retries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of operations that create something. */
export interface CreateOptions extends RequestOptions {
  /** The header `Idempotency-Key`. By default, each call has a random key that its retries share. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of operations that change something. */
export interface WriteOptions extends RequestOptions {
  /** The `etag` of a previous read. The write fails with `PRECONDITION_FAILED` if the resource has changed since. */
  readonly ifMatch?: string | null | undefined;
}

/**
 * Returns the fields that `update` changes, computed from the current resource. `update` calls this function again if
 * somebody else has written in between. If it returns `undefined` or an empty object, `update` writes nothing.
 */
export type Change<Current, Fields> = (current: Current) => Fields | undefined | Promise<Fields | undefined>;

/** The result of an operation. */
export interface Result<Data> {
  readonly data: Data;
  /** Identifies the version of the resource. Use it as `ifMatch`. */
  readonly etag: string | null;
  readonly status: number;
  readonly headers: Headers;
}

/** A page by number. */
export interface OffsetPage<Item> {
  readonly data: Item[];
  readonly pagination: {
    readonly page: number;
    readonly limit: number;
    /** The number of items in the whole list. */
    readonly total: number;
    readonly totalPages: number;
  };
  readonly etag: string | null;
}

/** A page by cursor. */
export interface CursorPage<Item> {
  readonly data: Item[];
  readonly pagination: {
    /** The cursor for `after()`. Null on the last page. */
    readonly nextCursor: string | null;
    readonly hasMore: boolean;
  };
  readonly etag: string | null;
}

/** The sorts and the page size of a list. Its filters are added to these. */
export interface ListQuery<Sort extends string> {
  /** The sorts, the most important one first: `['price:asc', 'createdAt:desc']`. */
  readonly sort?: Sort | readonly Sort[] | undefined;
  /** The number of items on a page, at most 100. */
  readonly limit?: number | undefined;
}

export type QueryValue =
  | string
  | number
  | boolean
  | Date
  | readonly (string | number | boolean | Date)[]
  | null
  | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

/** A request for the transport. */
export interface Call {
  /** The name for error messages: `products.get`. */
  readonly operation: string;
  readonly method: string;
  /** The path from the root of the server. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Whether to accept a response of any media type. Otherwise, a response that is not JSON is an error. */
  readonly takesAnyType?: boolean;
  /** Whether to send cookies, and to store those of the response. */
  readonly withCookies?: boolean;
  /** Whether to send the request without credentials. A 401 is then final. */
  readonly isAnonymous?: boolean;
  readonly options?: RequestOptions | undefined;
}
