import { HttpError } from 'react-admin';
import type { DataProvider, GetListParams, Identifier, RaRecord } from 'react-admin';

import { ApiError, createClient, edit } from '../../../src/generated/index.js';
import type { List, Result, WriteOptions } from '../../../src/generated/index.js';

/** Version 2 of the API: its rows carry their `etag`, so that each can be written with the tag of what is shown. */
export type Api = ReturnType<typeof createClient<'v2'>>;
type Row = RaRecord & { readonly etag: string };
type Fields = Record<string, any>;

/** What react-admin needs of a resource. Rows below a parent are written below it, and are read without it. */
interface Resource {
  readonly list: (query: object) => List<Row>;
  readonly get: (id: number) => Promise<Result<Row>>;
  readonly create: (fields: Fields) => Promise<Result<Row>>;
  readonly patch: (row: Row, fields: Fields, options: WriteOptions) => Promise<Result<Row>>;
  readonly delete: (row: Row, options: WriteOptions) => Promise<unknown>;
}

/** The resources of the pages. Add yours here: a plain one is written as `products` is. */
function resourcesOf({ products, users, reviews, orders }: Api): Record<string, Resource> {
  const table = {
    products: {
      ...products,
      patch: ({ id }: Row, fields: Fields, options: WriteOptions) =>
        products.patch(Number(id), fields, options),
      delete: ({ id }: Row, options: WriteOptions) => products.delete(Number(id), options),
    },
    users: {
      ...users,
      patch: ({ id }: Row, fields: Fields, options: WriteOptions) => users.patch(Number(id), fields, options),
      delete: ({ id }: Row, options: WriteOptions) => users.delete(Number(id), options),
    },
    reviews: {
      ...reviews,
      create: ({ productId, ...fields }: Fields) => reviews.create(productId, fields as never),
      patch: ({ productId, id }: Row, fields: Fields, options: WriteOptions) =>
        reviews.patch(productId, Number(id), fields, options),
      delete: ({ productId, id }: Row, options: WriteOptions) =>
        reviews.delete(productId, Number(id), options),
    },
    orders: {
      ...orders,
      create: ({ userId, ...fields }: Fields) => orders.create(userId, fields as never),
      patch: ({ userId, id }: Row, fields: Fields, options: WriteOptions) =>
        orders.patch(userId, Number(id), fields, options),
      delete: ({ userId, id }: Row, options: WriteOptions) => orders.delete(userId, Number(id), options),
    },
  };
  return table as unknown as Record<string, Resource>;
}

/** The most rows of one page, and the most values of one filter. */
const PAGE = 100;

/**
 * The data provider of react-admin on the typed client, which logs in, refreshes tokens, repeats what failed in between
 * and sends an `Idempotency-Key` with each creation.
 *
 * @example <Admin dataProvider={dataProvider(createClient({ baseUrl, version: 'v2', auth: token() }))}>
 */
export function dataProvider(api: Api): DataProvider {
  const resources = resourcesOf(api);
  const find = (name: string): Resource => {
    const resource = resources[name];
    if (!resource) throw new Error(`the data provider has no resource ${name}`);
    return resource;
  };

  async function getList(name: string, { filter, sort, pagination, signal }: Partial<GetListParams>) {
    const { page = 1, perPage = PAGE } = pagination ?? {};
    const query = {
      ...withoutEmpty(filter),
      ...(sort && { sort: `${sort.field}:${sort.order.toLowerCase()}` }),
      limit: Math.min(perPage, PAGE),
    };
    const list = find(name).list({ ...query, signal });
    // An export asks for a thousand rows or more at once: they are walked by cursor, and nothing is counted.
    if (perPage > PAGE) {
      const data = await list.toArray({ max: page * perPage });
      return { data: data.slice((page - 1) * perPage), total: data.length };
    }
    const { data, pagination: found } = await list.page(page);
    return { data, total: found.total };
  }

  async function getMany(name: string, ids: readonly Identifier[]): Promise<Row[]> {
    const chunks = Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, i) =>
      ids.slice(i * PAGE, (i + 1) * PAGE),
    );
    const pages = await Promise.all(chunks.map((id) => find(name).list({ id, limit: PAGE }).page(1)));
    return pages.flatMap(({ data }) => data);
  }

  /** Writes what differs from `row`, with its tag. What only the server changes meanwhile, such as a rating, is no conflict. */
  async function update(name: string, row: Row, data: Fields): Promise<Row> {
    const write = (fields: Fields, options: WriteOptions): Promise<Result<Row>> =>
      find(name).patch(row, fields, options);
    return (await edit<Row, Fields>({ data: row, etag: row.etag }, write).save(data)).data;
  }

  /** Does something with each of the rows, and tells of the first that failed when all are done. */
  async function withEach(name: string, ids: readonly Identifier[], work: (row: Row) => Promise<unknown>) {
    const results = await Promise.allSettled((await getMany(name, ids)).map(work));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return { data: [...ids] };
  }

  const provider = {
    getList,
    getOne: async (name: string, { id }: { id: Identifier }) => ({
      data: (await find(name).get(Number(id))).data,
    }),
    getMany: async (name: string, { ids }: { ids: Identifier[] }) => ({ data: await getMany(name, ids) }),
    getManyReference: (name: string, { target, id, filter, ...params }: any) =>
      getList(name, { ...params, filter: { ...filter, [target]: id } }),
    create: async (name: string, { data }: { data: Fields }) => ({
      data: (await find(name).create(data)).data,
    }),
    update: async (name: string, { data, previousData }: { data: Fields; previousData: Row }) => ({
      data: await update(name, previousData, data),
    }),
    updateMany: (name: string, { ids, data }: { ids: Identifier[]; data: Fields }) =>
      withEach(name, ids, (row) => update(name, row, data)),
    delete: async (name: string, { previousData }: { previousData: Row }) => {
      await find(name).delete(previousData, { ifMatch: previousData.etag });
      return { data: previousData };
    },
    deleteMany: (name: string, { ids }: { ids: Identifier[] }) =>
      withEach(name, ids, (row) => find(name).delete(row, {})),
  };
  const methods = Object.entries(provider).map(([method, work]) => [
    method,
    (...args: [any, any]) => work(...args).catch(fail),
  ]);
  return Object.fromEntries(methods) as DataProvider;
}

/** Without the filters that are empty: the API refuses a value that is none. */
const withoutEmpty = (filter: Fields = {}): Fields =>
  Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== '' && value != null && [value].flat().length > 0),
  );

const CONFLICT = 'Somebody else has changed this since you opened it. Reload it, and make your change again.';

/** Turns an error of the API into one that react-admin shows: each detail at the field that it names, else as a message. */
function fail(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const { status, message, details, code } = error;
  const errors: Fields = {};
  for (const { field, message: text } of details) errors[field] ??= text;
  if (details.length > 0) errors['root'] = { serverError: 'Some values cannot be saved: see the fields.' };
  throw new HttpError(code === 'PRECONDITION_FAILED' ? CONFLICT : message, status, { code, errors });
}
