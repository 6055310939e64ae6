/** Code that uses the client. Each line must compile, except after `@ts-expect-error`. */
import {
  apiKey,
  type Client,
  createClient,
  type CursorPage,
  edit,
  type ErrorOf,
  isError,
  isErrorOf,
  type List,
  type OffsetPage,
  type Order,
  type Product,
  type ProductsQuery,
  type ProductV2,
  type Result,
  token,
} from 'api-client';
import { queriesOf } from '@plinth/client/react-query';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only if both types are the same. */
function same<A, B>(..._: Equal<A, B> extends true ? [] : [never]): void {
  // Checks only types.
}

const plinth: Client = createClient({ baseUrl: 'https://api.example.com', auth: token() });
const v2: Client<'v2'> = createClient({
  baseUrl: 'https://api.example.com',
  auth: apiKey('key'),
  version: 'v2',
});

export async function reading(): Promise<void> {
  const result = await plinth.products.get(42);
  same<typeof result, Result<Product>>();
  same<Product['category'], string | null>();
  same<Product['rating'], number | null>();
  same<Order['status'], 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled'>();
  same<ProductV2['currency'], 'USD'>();
  same<Awaited<ReturnType<typeof v2.products.get>>['data'], ProductV2>();
  // @ts-expect-error v1 has no currency
  result.data.currency.toString();
  // @ts-expect-error an id is a number
  await plinth.products.get('42');
  // @ts-expect-error there is no such version
  createClient({ baseUrl: 'https://api.example.com', version: 'v3' });
  // @ts-expect-error there is no such resource
  plinth.prodcuts.toString();
  // @ts-expect-error sessions are not created
  plinth.sessions.create.toString();
}

export async function lists(): Promise<void> {
  const list = plinth.products.list({
    category: 'lighting',
    inStock: true,
    minPrice: 10,
    sort: ['price:asc', 'name:desc'],
    limit: 50,
  });
  same<typeof list, List<Product>>();
  for await (const product of list) same<typeof product, Product>();
  for await (const page of list.pages()) same<typeof page, CursorPage<Product>>();
  const first = await list;
  same<typeof first, OffsetPage<Product>>();
  const { nextCursor } = (await list.after()).pagination;
  same<typeof nextCursor, string | null>();
  await list.after(nextCursor);
  // @ts-expect-error pages by cursor have no total
  (await list.after()).pagination.total.toFixed();
  const sort: ProductsQuery['sort'] = 'rating:desc';
  plinth.products.list({ sort });
  plinth.orders.listOfUser(7, { status: 'paid' });
  plinth.orders.list({ status: ['pending', 'paid'], id: [1, 2] });
  // @ts-expect-error products are not sorted by category
  plinth.products.list({ sort: 'category:asc' });
  // @ts-expect-error a sort has a direction
  plinth.products.list({ sort: 'price' });
  // @ts-expect-error a flag has only one value
  plinth.products.list({ inStock: [true, false] });
  // @ts-expect-error there is no such filter
  plinth.products.list({ categry: 'lighting' });
  // @ts-expect-error a bound is a number
  plinth.products.list({ minPrice: '10' });
  // @ts-expect-error there is no such status
  plinth.orders.list({ status: 'lost' });
  // @ts-expect-error a page is requested with list().page(2)
  plinth.products.list({ page: 2 });
}

export async function writing(): Promise<void> {
  await plinth.products.create({ name: 'Lamp', price: 49.9, category: 'lighting' });
  await plinth.products.replace(42, { name: 'Lamp', price: 49.9 }, { ifMatch: '"42-1"' });
  await plinth.products.patch(42, { category: null });
  await plinth.products.update(42, ({ price }) => ({ price: price * 0.9 }));
  await plinth.products.update(42, async ({ inStock }) => (inStock ? { inStock: false } : undefined));
  await plinth.orders.create(7, { items: [{ productId: 42, quantity: 1 }] }, { idempotencyKey: 'key' });
  await plinth.users.create({ email: 'ada@example.com', password: 'correct horse' });
  // @ts-expect-error a product needs a price
  await plinth.products.create({ name: 'Lamp', category: 'lighting' });
  // @ts-expect-error the server owns the rating
  await plinth.products.patch(42, { rating: 5 });
  // @ts-expect-error a price is never null
  await plinth.products.patch(42, { price: null });
  // @ts-expect-error v1 has no description
  await plinth.products.create({ name: 'Lamp', price: 1, category: 'lighting', description: 'Warm.' });
  await v2.products.create({ name: 'Lamp', price: 1, category: 'lighting', description: 'Warm.' });
  // @ts-expect-error a creation has no version to compare
  await plinth.products.create({ name: 'Lamp', price: 1, category: 'lighting' }, { ifMatch: '"42-1"' });
  // @ts-expect-error a change has no idempotency key
  await plinth.products.patch(42, { price: 1 }, { idempotencyKey: 'key' });
  // @ts-expect-error there is no such status
  await plinth.orders.update(7, 5, () => ({ status: 'lost' }));
  // @ts-expect-error an order belongs to a user
  await plinth.orders.create({ items: [] });
}

export async function queries(): Promise<void> {
  const { products, reviews } = queriesOf(plinth);
  const one = await products.get.query(42).queryFn({ signal: new AbortController().signal });
  same<typeof one, Pick<Result<Product>, 'data' | 'etag'>>();
  const pages = products.list.infinite({ category: 'lighting' });
  same<Awaited<ReturnType<typeof pages.queryFn>>, CursorPage<Product>>();
  products.list.infinite();
  reviews.listOfProduct.page(2, 42, { sort: 'rating:desc' });
  await products.patch.mutation().mutationFn([42, { price: 45 }, { ifMatch: one.etag }]);
  const form = edit(one, (fields: { price?: number }, options) => plinth.products.patch(42, fields, options));
  same<Awaited<ReturnType<typeof form.save>>['data'], Product>();
  // @ts-expect-error a list of reviews of a product needs the product
  reviews.listOfProduct.query();
  // @ts-expect-error there is no such filter
  products.list.query({ categry: 'lighting' });
  // @ts-expect-error a price is a number
  await products.patch.mutation().mutationFn([42, { price: '45' }]);
}

export async function grants(): Promise<void> {
  const grant = { resourceType: 'product', resourceId: 42, effect: 'deny' } as const;
  await plinth.accessGrants.create({ ...grant, permissions: ['read'], apiKeyId: 3 });
  await plinth.accessGrants.create({ ...grant, permissions: ['read'], userId: 7 });
  // @ts-expect-error a grant is about a user or an API key
  await plinth.accessGrants.create({ ...grant, permissions: ['read'] });
  // @ts-expect-error a grant needs a resource
  await plinth.accessGrants.create({ apiKeyId: 3 });
}

export async function errors(): Promise<void> {
  try {
    await plinth.orders.create(7, { items: [] });
  } catch (error) {
    if (isError(error, 'PRODUCT_OUT_OF_STOCK')) {
      same<typeof error.status, 409>();
      same<typeof error.code, 'PRODUCT_OUT_OF_STOCK'>();
    }
    if (isError(error, 'PRODUCT_OUT_OF_STOCK', 'PRECONDITION_FAILED')) {
      same<typeof error.status, 409 | 412>();
      if (error.code === 'PRECONDITION_FAILED') same<typeof error.status, 412>();
    }
    if (isError(error) && error.code === 'RATE_LIMIT_EXCEEDED') {
      same<typeof error.status, 429>();
      same<typeof error.retryAfterMs, number | undefined>();
    }
    if (isErrorOf(error, 'orders.create')) {
      same<typeof error, ErrorOf<'orders.create'>>();
      const code: string =
        error.code === 'PRODUCT_OUT_OF_STOCK' ? error.details.length.toString() : error.code;
      code.toString();
      // @ts-expect-error orders have no errors of reviews
      if (error.code === 'REVIEW_ALREADY_EXISTS') return;
    }
    // @ts-expect-error there is no such code
    isError(error, 'PRODUCT_OUT_OF_STOK');
    // @ts-expect-error there is no such operation
    isErrorOf(error, 'orders.crate');
  }
}
