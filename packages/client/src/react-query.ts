import type { Bound } from './operations.js';
import type { List } from './list.js';
import type { CursorPage, OffsetPage, Result } from './types.js';

/** The options of a query of TanStack Query, for any framework. */
export interface QueryOptions<Data> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
  /** Disabled, because the client itself retries what is safe to retry. */
  readonly retry: false;
}

/** The options of an infinite query by cursor. Get the items with `data.pages.flatMap(({ data }) => data)`. */
export interface InfiniteQueryOptions<Item> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: {
    readonly signal: AbortSignal;
    readonly pageParam: string;
  }) => Promise<CursorPage<Item>>;
  readonly initialPageParam: string;
  readonly getNextPageParam: (last: CursorPage<Item>) => string | null;
  readonly retry: false;
}

/** The options of a mutation. Its variables are the arguments of the operation: `mutate([42, { price: 45 }])`. */
export interface MutationOptions<Variables, Data> {
  readonly mutationKey: readonly unknown[];
  readonly mutationFn: (variables: Variables) => Promise<Data>;
  readonly retry: false;
}

/** The arguments of an operation without the last one, its options. */
type InputOf<Values extends readonly unknown[]> = number extends Values['length']
  ? Values
  : Required<Values>['length'] extends 0 | 1
    ? []
    : Values extends readonly [infer First, ...infer Others]
      ? [First, ...InputOf<Others>]
      : Values extends readonly [(infer First)?, ...infer Others]
        ? [First?, ...InputOf<Others>]
        : never;

interface ListQueries<Input extends readonly unknown[], Item> {
  /** The prefix of the keys of all queries of the operation, for `invalidateQueries`. */
  readonly key: readonly unknown[];
  /** The first page, with the total. */
  query(...input: Input): QueryOptions<OffsetPage<Item>>;
  /** A page by its number, from 1, with the total. */
  page(number: number, ...input: Input): QueryOptions<OffsetPage<Item>>;
  infinite(...input: Input): InfiniteQueryOptions<Item>;
}

interface OperationQueries<Values extends readonly unknown[], Data> {
  readonly key: readonly unknown[];
  /** For operations that read. The result has no headers, so that a cache can be serialized. */
  query(...input: InputOf<Values>): QueryOptions<Pick<Result<Data>, 'data' | 'etag'>>;
  mutation(): MutationOptions<Values, Result<Data>>;
}

type QueriesOfMethod<Method> = Method extends (...values: infer Values) => infer Answer
  ? Answer extends List<infer Item>
    ? ListQueries<InputOf<Values>, Item>
    : Answer extends Promise<Result<infer Data>>
      ? OperationQueries<Values, Data>
      : never
  : never;

/** The resources of a client, with options for queries and mutations of each operation. */
export type Queries<Api> = {
  readonly [
    Resource in keyof Api as Api[Resource] extends (...values: never[]) => unknown ? never : Resource
  ]: { readonly key: readonly unknown[] } & {
    readonly [Name in keyof Api[Resource]]: QueriesOfMethod<Api[Resource][Name]>;
  };
};

/**
 * Creates options for TanStack Query (version 5) from the operations of a client: keys, queries, infinite queries by
 * cursor, and mutations. It does not import TanStack Query.
 *
 * @param prefix the start of all keys. Needed if several clients share one cache
 * @example
 * const queries = queriesOf(client);
 * useQuery(queries.products.get.query(42));
 * useInfiniteQuery(queries.products.list.infinite({ category: 'lighting' }));
 * const patch = useMutation({
 *   ...queries.products.patch.mutation(),
 *   onSuccess: () => cache.invalidateQueries({ queryKey: queries.products.key }),
 * });
 * patch.mutate([42, { price: 45 }, { ifMatch: etag }]);
 */
export function queriesOf<Api extends object>(client: Api, ...prefix: readonly unknown[]): Queries<Api> {
  const resources = Object.entries(client).filter(([, methods]) => typeof methods === 'object');
  return Object.fromEntries(
    resources.map(([resource, methods]) => {
      const key = [...prefix, resource];
      const operations = Object.entries(methods as Record<string, Bound>).map(([name, method]) => [
        name,
        method.isList ? listQueries(method, [...key, name]) : operationQueries(method, [...key, name]),
      ]);
      return [resource, { key, ...Object.fromEntries(operations) }];
    }),
  ) as Queries<Api>;
}

type Input = readonly unknown[];

/** Calls a method with a signal. Omitted arguments stay omitted. */
function call(method: Bound, input: Input, signal: AbortSignal): unknown {
  const values = Array.from({ length: method.optionsAt ?? 0 }, (_, index) => input[index]);
  return method(...values, { signal });
}

function listQueries(method: Bound, key: Input): ListQueries<Input, unknown> {
  const listOf = (input: Input, signal: AbortSignal): List<unknown> =>
    call(method, input, signal) as List<unknown>;
  const page = (number: number, ...input: Input): QueryOptions<OffsetPage<unknown>> => ({
    queryKey: [...key, 'page', number, ...input],
    queryFn: ({ signal }) => listOf(input, signal).page(number),
    retry: false,
  });
  return {
    key,
    page,
    query: (...input) => page(1, ...input),
    infinite: (...input) => ({
      queryKey: [...key, 'infinite', ...input],
      queryFn: ({ signal, pageParam }) => listOf(input, signal).after(pageParam),
      initialPageParam: '',
      getNextPageParam: ({ pagination }) => pagination.nextCursor,
      retry: false,
    }),
  };
}

function operationQueries(method: Bound, key: Input): OperationQueries<Input, unknown> {
  return {
    key,
    query: (...input: Input) => ({
      queryKey: [...key, ...input],
      queryFn: async ({ signal }) => {
        const { data, etag } = (await call(method, input, signal)) as Result<unknown>;
        return { data, etag };
      },
      retry: false,
    }),
    mutation: () => ({
      mutationKey: key,
      mutationFn: (variables) => method(...variables) as Promise<Result<unknown>>,
      retry: false,
    }),
  };
}
