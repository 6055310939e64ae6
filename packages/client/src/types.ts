/** Options of every operation. */
export interface RequestOptions {
  /** Ends the request, its retries and the wait between them; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long an attempt may take, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is followed by another one. */
  readonly retries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of operations that create something. */
export interface CreateOptions extends RequestOptions {
  /** Sent as `Idempotency-Key`. By default each call has a random one, which its retries share. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of operations that change something. */
export interface WriteOptions extends RequestOptions {
  /** The `etag` of what was read: the write fails with `PRECONDITION_FAILED` if somebody else has changed it since. */
  readonly ifMatch?: string | null | undefined;
}

/**
 * The fields that `update` changes, computed of what was just read. It is called again if somebody else writes before
 * they are written. Nothing is written if it gives `undefined` or an empty object.
 */
export type Change<Current, Fields> = (current: Current) => Fields | undefined | Promise<Fields | undefined>;

/** The answer of an operation. */
export interface Result<Data> {
  readonly data: Data;
  /** Identifies the state of what was read or written; for `ifMatch`. */
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
    /** Items of the whole list. */
    readonly total: number;
    readonly totalPages: number;
  };
  readonly etag: string | null;
}

/** A page by cursor. */
export interface CursorPage<Item> {
  readonly data: Item[];
  readonly pagination: {
    /** For `after()`; null on the last page. */
    readonly nextCursor: string | null;
    readonly hasMore: boolean;
  };
  readonly etag: string | null;
}

/** How a list is sorted and cut into pages, beside its filters. */
export interface ListQuery<Sort extends string> {
  /** The first goes first: `['price:asc', 'createdAt:desc']`. */
  readonly sort?: Sort | readonly Sort[] | undefined;
  /** Items of a page, 100 at most. */
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

/** One request as the transport takes it. */
export interface Call {
  /** `products.get`; in errors. */
  readonly operation: string;
  readonly method: string;
  /** From the root of the server. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The answer may be of any media type; without it, one that is not JSON is not of the API. */
  readonly takesAnyType?: boolean;
  /** Cookies go along, and those of the response are kept. */
  readonly withCookies?: boolean;
  /** Without credentials and their renewal. */
  readonly isAnonymous?: boolean;
  readonly options?: RequestOptions | undefined;
}
