import { ConnectionError, isError, TimeoutError, token } from '../../../client/dist/esm/index.js';
import { each, equal, ok, rejection } from './assert.mjs';

/** Tests of writing: read-modify-write, preconditions, orders, idempotency, and network failures. */
export const tests = {
  'update() reads, changes and writes without losing a concurrent write': async ({ asAdmin, newProduct }) => {
    const { client } = asAdmin();
    const { id } = await newProduct(client, { price: 1 });
    const others = Array.from({ length: 4 }, () => asAdmin().client);
    await Promise.all(
      others.map((other) => other.products.update(id, ({ price }) => ({ price: price + 1 }))),
    );
    equal((await client.products.get(id)).data.price, 5);
  },

  'update() repeats the change if others have written in between': async ({ asAdmin, newProduct }) => {
    const { client, sent } = asAdmin();
    const { id } = await newProduct(client, { price: 10 });
    const seen = [];
    const { data } = await client.products.update(id, async ({ price }) => {
      seen.push(price);
      if (seen.length === 1) await asAdmin().client.products.patch(id, { price: 20 });
      return { price: price + 1 };
    });
    equal([seen, data.price], [[10, 20], 21]);
    equal(
      each(
        sent.filter(({ method }) => method === 'PATCH'),
        'status',
      ),
      [412, 200],
    );
  },

  'update() writes nothing if nothing changes': async ({ asAdmin, newProduct }) => {
    const { client, sent } = asAdmin();
    const { id } = await newProduct(client);
    equal((await client.products.update(id, () => undefined)).data.id, id);
    equal((await client.products.update(id, () => ({}))).data.id, id);
    ok(!sent.some(({ method }) => method === 'PATCH'), 'no PATCH');
  },

  'ifMatch writes only to the version that was read': async ({ asAdmin, newProduct }) => {
    const { client } = asAdmin();
    const { id } = await newProduct(client);
    const { etag } = await client.products.get(id);
    const { etag: next } = await client.products.replace(id, { name: 'Lamp', price: 3 }, { ifMatch: etag });
    ok(next !== etag, 'a write has a new ETag');
    const error = await rejection(client.products.patch(id, { price: 4 }, { ifMatch: etag }));
    ok(isError(error, 'PRECONDITION_FAILED') && error.status === 412, String(error));
    const unconditional = await rejection(client.products.patch(id, { price: 4 }, { ifMatch: null }));
    ok(unconditional instanceof TypeError, String(unconditional));
    equal((await client.products.delete(id, { ifMatch: next })).status, 204);
  },

  'an order is placed and moved, and one for a product out of stock is refused': async ({
    asAdmin,
    newProduct,
    newUser,
    recorded,
  }) => {
    const { client } = asAdmin();
    const user = await newUser();
    const product = await newProduct(client, { price: 19.9 });
    const shop = recorded({ auth: token(user) }).client;
    const { data: order } = await shop.orders.create(user.id, {
      items: [{ productId: product.id, quantity: 2 }],
    });
    equal([order.status, order.total, order.items[0].productName], ['pending', 39.8, product.name]);
    equal(
      (await shop.orders.update(user.id, order.id, () => ({ status: 'cancelled' }))).data.status,
      'cancelled',
    );
    await client.products.patch(product.id, { inStock: false });
    const items = [{ productId: product.id, quantity: 1 }];
    const error = await rejection(shop.orders.create(user.id, { items }));
    ok(isError(error, 'PRODUCT_OUT_OF_STOCK') && error.status === 409, String(error));
    equal((await shop.orders.listOfUser(user.id, { status: 'cancelled' })).pagination.total, 1);
  },

  'a POST whose response is lost is repeated with the same key, and performed once': async ({
    asAdmin,
    fault,
    unique,
  }) => {
    const { client, sent } = asAdmin();
    const category = unique('lost');
    const { data, headers } = await client.products.create(
      { name: 'Lamp', price: 1, category },
      { headers: fault('lose') },
    );
    equal(headers.get('idempotency-replayed'), 'true', 'Idempotency-Replayed');
    const posts = sent.filter(({ path }) => path.endsWith('/products'));
    equal(posts.length, 2, 'the number of attempts');
    const [first, second] = posts.map(({ headers: own }) => own.get('idempotency-key'));
    ok(/^[0-9a-f]{32}$/.test(first) && first === second, 'both attempts have the same key');
    equal(each(await client.products.list({ category }).toArray(), 'id'), [data.id]);
  },

  'a write without a key is not repeated if its response is lost': async ({ asAdmin, newProduct, fault }) => {
    const { client, sent } = asAdmin();
    const { id } = await newProduct(client);
    const error = await rejection(client.products.patch(id, { price: 5 }, { headers: fault('lose') }));
    ok(error instanceof ConnectionError && error.cause, String(error));
    equal(sent.filter(({ method }) => method === 'PATCH').length, 1, 'the number of attempts');
    equal((await client.products.get(id)).data.price, 5, 'the price, which was written');
  },

  'a read whose response is lost is repeated as often as `retries` allows': async ({
    asAdmin,
    newProduct,
    fault,
  }) => {
    const { client, sent } = asAdmin();
    const { id } = await newProduct(client);
    equal((await client.products.get(id, { headers: fault('lose', 2) })).data.id, id);
    equal(sent.filter(({ method }) => method === 'GET').length, 3, 'the number of attempts');
    const error = await rejection(client.products.get(id, { headers: fault('lose', 9), retries: 1 }));
    ok(error instanceof ConnectionError, String(error));
    equal(sent.filter(({ method }) => method === 'GET').length, 5, 'the number of attempts');
  },

  'requests are repeated after a 503 of the API, but after a 502 or 503 of a load balancer only if it is safe':
    async ({ asAdmin, newProduct, unique, fault }) => {
      const { client, sent } = asAdmin();
      const { id } = await newProduct(client);
      equal((await client.products.get(id, { headers: fault('busy', 2) })).data.id, id);
      equal((await client.products.get(id, { headers: fault('gateway', 2) })).data.id, id);
      const lamp = { name: 'Lamp', price: 1, category: unique('gateway') };
      equal((await client.products.create(lamp, { headers: fault('gateway') })).status, 201);
      equal(
        (await client.products.patch(id, { price: 6 }, { headers: fault('overloaded', 2) })).data.price,
        6,
      );
      for (const [kind, status] of Object.entries({ busy: 503, gateway: 502 })) {
        const error = await rejection(client.products.patch(id, { price: 7 }, { headers: fault(kind) }));
        equal([error.status, error.code], [status, `HTTP_${status}`]);
        ok(!error.message.includes('<html>'), error.message);
      }
      const answers = sent.filter(({ method }) => method === 'PATCH');
      equal(each(answers, 'status'), [503, 503, 200, 503, 502]);
    },

  'a timeout aborts a single attempt': async ({ asAdmin, fault }) => {
    const { client } = asAdmin();
    await client.users.me();
    const error = await rejection(client.users.me({ headers: fault('hang', 9), timeoutMs: 50, retries: 1 }));
    ok(error instanceof TimeoutError && error.message.includes('within 50 ms'), String(error));
    equal((await client.users.me({ headers: fault('hang'), timeoutMs: 1_000 })).status, 200);
  },

  'a signal aborts a request, and the pause between attempts': async ({ asAdmin, fault }) => {
    const { client, sent } = asAdmin();
    await client.users.me();
    const reason = new Error('the page is left');
    for (const kind of ['hang', 'lose']) {
      const controller = new AbortController();
      const before = sent.length;
      const failed = rejection(
        client.users.me({ headers: fault(kind, 99), signal: controller.signal, retries: 99 }),
      );
      while (sent.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
      controller.abort(reason);
      equal((await failed) === reason, true, `whether ${kind} is rejected with the reason of the signal`);
    }
    equal(
      (await rejection(client.users.me({ signal: AbortSignal.abort(reason) }))) === reason,
      true,
      'aborted before',
    );
  },

  'requests beyond the limit are sent later, as Retry-After says': async ({ asAdmin }) => {
    const { client, sent } = asAdmin({ retries: 20 });
    while (!sent.some(({ status }) => status === 429)) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => client.users.me()));
      ok(
        answers.every(({ status }) => status === 200),
        'all requests succeed',
      );
    }
  },
};
