import { Answer, Client } from '@plinth/dev/testing';

import { useApp } from '../support/app.js';
import { useShop } from '../support/shop.js';

describe('concurrent reviews', () => {
  const app = useApp({});
  const shop = useShop(app);
  let clients: Client[];

  beforeAll(async () => {
    clients = [];
    for (let i = 0; i < 100; i++) clients.push(await app.as('viewer'));
  });

  /** Products whose stored average differs from their reviews. */
  const wrong = (): Promise<unknown[]> =>
    app.query(
      `select p.id from products p left join reviews r on r.product_id = p.id group by p.id
       having count(r.id) <> p.review_count or coalesce(sum(r.rating), 0) <> p.rating_sum
         or round(avg(r.rating), 2) is distinct from p.rating`,
    );

  it('of 100 users produce the exact average', async () => {
    const product = await shop.product(1);
    const ratings = clients.map((_, i) => ((i * 7) % 5) + 1);
    const review = async (client: Client, rating: number | undefined): Promise<Answer> => {
      for (;;) {
        const answer = await client.post(`/api/v1/products/${product}/reviews`, { rating });
        // On a busy machine, some wait too long for a connection of the pool.
        if (answer.status !== 503) return answer;
      }
    };
    const answers = await Promise.all(clients.map((client, i) => review(client, ratings[i])));
    expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 201));
    const sum = ratings.reduce((total, rating) => total + rating, 0);
    const read = await shop.admin.get(`/api/v2/products/${product}`);
    expect(read.body).toMatchObject({ reviewCount: 100, rating: Math.round(sum) / 100 });
    expect(await wrong()).toEqual([]);
  });

  it('of one user and product are limited to one', async () => {
    const product = await shop.product(1);
    const attempts = Array.from({ length: 20 }, () =>
      clients[0]!.post(`/api/v1/products/${product}/reviews`, { rating: 4 }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });

  it('and renamed authors never share one entity tag between two representations', async () => {
    const { id, client } = await shop.member();
    const products = await Promise.all(Array.from({ length: 12 }, () => shop.product(1)));
    const names = new Map<string, Set<string>>();
    const note = ({ body }: Answer): void => {
      const { etag, author } = body as { etag: string; author: { name: string } };
      names.set(etag, (names.get(etag) ?? new Set()).add(author.name));
    };
    await Promise.all(
      products.map(async (product, i) => {
        const rename = client.patch(`/api/v1/users/${id}`, { name: `Name ${i}` });
        const created = await client.post(`/api/v2/products/${product}/reviews`, { rating: 1 });
        const path = created.headers.get('location') as string;
        [created, await client.get(path), await client.patch(path, { rating: 2 })].forEach(note);
        await rename;
        note(await client.get(path));
      }),
    );
    expect(names.size).toBeGreaterThan(12);
    expect([...names.values()].filter(({ size }) => size > 1)).toEqual([]);
  });

  it('keep all averages correct while users and products are created and deleted', async () => {
    const products = await Promise.all(Array.from({ length: 6 }, () => shop.product(1)));
    const leavers = await Promise.all(Array.from({ length: 6 }, () => shop.member()));
    for (const { client } of leavers) {
      for (const product of products) await client.post(`/api/v1/products/${product}/reviews`, { rating: 2 });
    }
    const gone = products.slice(0, 2).map((id) => shop.admin.delete(`/api/v1/products/${id}`));
    const left = leavers.map(({ id, client }) => client.delete(`/api/v1/users/${id}`));
    const come = clients
      .slice(0, 30)
      .map((client, i) =>
        client.post(`/api/v1/products/${products[i % 6]!}/reviews`, { rating: (i % 5) + 1 }),
      );
    for (const { status } of await Promise.all([...gone, ...left])) expect(status).toBe(204);
    for (const { status } of await Promise.all(come)) expect([201, 404]).toContain(status);
    expect(await wrong()).toEqual([]);
  });
});
