import Big from 'big.js';
import fc from 'fast-check';

import { useApp } from '../support/app.js';
import { errorOf, Member, Order, useShop } from '../support/shop.js';

describe('concurrent orders', () => {
  const app = useApp({});
  const shop = useShop(app);
  let editor: Member;

  beforeAll(async () => {
    editor = await shop.member('editor');
  });

  const path = ({ userId, id }: Order): string => `/api/v1/users/${userId}/orders/${id}`;

  it('release a popular product in time, and become new versions', async () => {
    const lamp = await shop.product(1);
    const { id, userId } = await shop.order(editor, [lamp, 1]);
    await app.query(
      `with made as (insert into orders (user_id, total) select $1, 1 from generate_series(1, 20000) returning id)
       insert into order_items (order_id, user_id, product_id, product_name, unit_price, quantity)
       select id, $1, $2, 'Lamp', 1, 1 from made`,
      [userId, lamp],
    );
    expect((await shop.admin.delete(`/api/v1/products/${lamp}`)).status).toBe(204);
    const orders = await app.query('select version from orders where id = $1', [id]);
    expect(orders).toEqual([{ version: 2 }]);
  });

  it('let exactly one of several concurrent transitions succeed', async () => {
    const order = await shop.order(editor, [await shop.product(1), 1]);
    await editor.client.patch(path(order), { status: 'paid' });
    const moves = Array.from({ length: 20 }, (_, i) =>
      editor.client.patch(path(order), { status: i % 2 ? 'shipped' : 'cancelled' }),
    );
    const answers = await Promise.all(moves);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(errorOf))).toEqual(new Set(['409 INVALID_STATUS_TRANSITION']));
  });

  it('keep an exact total and no item after payment while items are added, changed and moved', async () => {
    const products = await Promise.all(
      [1.1, 2.2, 3.3, 4.4, 5.5, 6.6, 7.7, 8.8].map((price) => shop.product(price)),
    );
    const order = await shop.order(editor, [products[0]!, 1]);
    const attempts = products
      .slice(1)
      .map((productId) => editor.client.post(`${path(order)}/items`, { productId, quantity: 3 }));
    const paid = editor.client.patch(path(order), { status: 'paid' });
    const answers = await Promise.all([...attempts, paid]);
    for (const { status } of answers) expect([200, 201, 409]).toContain(status);
    const now = (await editor.client.get(path(order))).body as Order;
    const added = answers.filter(({ status }) => status === 201);
    expect(now.items).toHaveLength(1 + added.length);
    const sum = now.items.reduce(
      (total, { unitPrice, quantity }) => total.plus(Big(unitPrice).times(quantity)),
      Big(0),
    );
    expect(now.total).toBe(sum.toNumber());
    expect(now.status).toBe('paid');
  });

  it('of the same products do not deadlock, in whatever order they name the products', async () => {
    const products = await Promise.all([1, 2, 3, 4, 5].map((price) => shop.product(price)));
    const orders = Array.from({ length: 40 }, async (_, i) => {
      const items = products.map((productId) => ({ productId, quantity: 1 }));
      const order = await editor.client.post(`/api/v1/users/${editor.id}/orders`, {
        items: i % 2 ? items : items.reverse(),
      });
      expect(order.status).toBe(201);
    });
    const prices = Array.from({ length: 20 }, (_, i) =>
      shop.admin.patch(`/api/v1/products/${products[i % 5]!}`, { price: 10 + i }),
    );
    await Promise.all([...orders, ...prices]);
  });

  it('are stored whole or refused while their products are deleted and edited', async () => {
    const products = await Promise.all([1, 2, 3].map((price) => shop.product(price)));
    const kept = await shop.product(50);
    const standing = await shop.order(editor, [kept, 1], [products[0]!, 1]);
    const items = products.map((productId) => ({ productId, quantity: 1 }));
    const placed = Array.from({ length: 10 }, () =>
      editor.client.post(`/api/v1/users/${editor.id}/orders`, { items }),
    );
    const edited = products
      .slice(1)
      .map((productId) => editor.client.post(`${path(standing)}/items`, { productId, quantity: 1 }));
    const deleted = products.map((id) => shop.admin.delete(`/api/v1/products/${id}`));
    const answers = await Promise.all([...placed, ...edited]);
    for (const answer of answers) expect([201, 422]).toContain(answer.status);
    for (const { status } of await Promise.all(deleted)) expect(status).toBe(204);
    const broken = await app.query(
      `select o.id from orders o left join order_items i on i.order_id = o.id
       group by o.id having sum(i.unit_price * i.quantity) is distinct from o.total`,
    );
    expect(broken).toEqual([]);
    const dangling = await app.query('select id from order_items where product_id = any($1)', [products]);
    expect(dangling).toEqual([]);
  });

  it('have the total that decimal arithmetic computes', async () => {
    const cents = fc.integer({ min: 0, max: 999_999_999_999 });
    const lines = fc.array(fc.tuple(cents, fc.integer({ min: 1, max: 1000 })), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(lines, async (drawn) => {
        const exact = drawn.reduce((sum, [price, quantity]) => sum + BigInt(price) * BigInt(quantity), 0n);
        const values = drawn.map(([price]) => `('Random', ${price}::numeric / 100)`).join(', ');
        const text = `insert into products (name, price) values ${values} returning id`;
        const ids = (await app.query<{ id: number }>(text)).map(({ id }) => id);
        const items = ids.map((productId, i) => ({ productId, quantity: drawn[i]![1] }));
        const answer = await editor.client.post(`/api/v1/users/${editor.id}/orders`, { items });
        if (exact > 999_999_999_999_999n) return answer.status === 422;
        // Compares the digits of the body.
        const written = /"total":([\d.]+)/.exec(answer.text)?.[1] ?? '';
        return BigInt(Big(written).times(100).toFixed()) === exact;
      }),
      { numRuns: 15 },
    );
  });
});
