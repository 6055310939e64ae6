/** Code that uses clients of other generators. Each line must compile, except after `@ts-expect-error`. */
import { listProductsInfiniteOptions } from './hey-api/@tanstack/react-query.gen';
import { listProducts, patchProduct } from './hey-api/sdk.gen';
import type { CreateOrder } from './hey-api/types.gen';
import './hey-api/transformers.gen';
import { zCreateOrder } from './hey-api/zod.gen';
import * as byFetch from './orval/api';
import * as zod from './orval/zod';

const order: CreateOrder = { items: [{ productId: 42, quantity: 2 }] };
console.log(JSON.stringify(zCreateOrder.parse(order)));
console.log(JSON.stringify(zod.createUserOrderBody.parse(order)));

export async function lists(): Promise<void> {
  const { pagination } = (await listProducts({ throwOnError: true })).data;
  const next: string | null | undefined = pagination.nextCursor;
  const total: number | undefined = pagination.total;
  // @ts-expect-error there is no such property
  [next, total, pagination.next].toString();
  // The parameter of a page is a cursor, or the values that it replaces in the query.
  const { queryFn } = listProductsInfiniteOptions({ query: { sort: 'price:asc' } });
  type Page = Parameters<Exclude<typeof queryFn, symbol | undefined>>[0]['pageParam'];
  const page: Page = next ?? { query: { cursor: '' } };
  page.toString();
  const answer = await byFetch.listProducts();
  // The response may also be CSV.
  if (answer.status === 200 && typeof answer.data === 'object') answer.data.pagination.nextCursor?.at(0);
}

export async function errors(): Promise<void> {
  const { error } = await patchProduct({ path: { id: 42 }, body: { price: 1 } });
  const fault = error?.error;
  if (fault?.code === 'PRECONDITION_FAILED') fault.status satisfies 412;
  if (fault?.code === 'RATE_LIMIT_EXCEEDED') fault.status satisfies 429;
  // @ts-expect-error it may be any of them
  fault?.status satisfies 412;
}
