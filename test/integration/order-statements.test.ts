import { Client } from 'pg';

import { Order, Shop } from '../support/shop.js';
import { startInProcess, OwnApp } from '../support/own-app.js';

/** A reference to a table of orders that a statement reads or changes. */
const REFERENCE = /\b(?:from|update|join) "?(?:orders|order_items)"?(?=[\s,;)]|$)/gi;
/** A condition on the user of an order. */
const NAMES_USER = /\b"?user_id"? = (?:\$\d|"?orders"?\.)/g;
/** The rows of a page by their ids, which a subquery finds by the user. */
const BY_IDS_OF_PAGE = /"id" = any\(array\(/g;
const RETURNING_A_CALL = /\breturning\s+(?:(?!\bfrom\b|\bselect\b)[^)])*\(/i;
const VOLATILE = /\b(?:clock_timestamp|random|nextval|gen_random_uuid)\(/i;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

describe('the statements about the orders of a user', () => {
  const seen = new Set<string>();
  let app: OwnApp;

  beforeAll(async () => {
    const queries = jest.spyOn(Client.prototype, 'query');
    app = await startInProcess();
    const shop = await Shop.in(app);
    const { id, client } = await shop.member();
    const products = [await shop.product(1), await shop.product(2), await shop.product(3)] as const;
    queries.mockClear();
    const order: Order = await shop.order({ id, client }, [products[0], 1], [products[1], 2]);
    const orders = `/api/v1/users/${id}/orders`;
    const path = `${orders}/${order.id}`;
    for (const query of ['', '?status=paid', '?status=paid&status=pending', '?cursor=&status=pending'])
      expect((await client.get(`${orders}${query}`)).status).toBe(200);
    for (const query of ['?page=90', '?page=90&status=paid', '?minTotal=1&sort=total:asc', '?cursor='])
      expect((await client.get(`${orders}${query}`)).status).toBe(200);
    for (const read of [path, `${path}/items`, `${path}/items/${order.items[0]!.id}`])
      expect((await client.get(read)).status).toBe(200);
    const added = await client.post(`${path}/items`, { productId: products[2], quantity: 1 });
    expect(added.status).toBe(201);
    const item = `${path}/items/${(added.body as { id: number }).id}`;
    for (const quantity of [2, 2]) expect((await client.patch(item, { quantity })).status).toBe(200);
    expect((await client.delete(item)).status).toBe(204);
    for (const status of ['cancelled', undefined])
      expect((await client.patch(path, { status })).status).toBe(200);
    expect((await shop.admin.delete(path)).status).toBe(204);
    for (const [statement] of queries.mock.calls as unknown as [string | { text: string }][])
      seen.add(typeof statement === 'string' ? statement : statement.text);
    queries.mockRestore();
  });
  afterAll(() => app.stop());

  const statements = (): string[] => [...seen].filter((text) => /\b(?:orders|order_items)\b/.test(text));

  it('include reads, lists, inserts, updates and deletions', () => {
    const kinds = [/^select/, /for update$/, /"listTotal"/, /"cursorKeys"/, /insert into "order_items"/];
    const writes = [/update "orders"/, /^delete from "orders"/, /update orders set total/];
    for (const kind of [...kinds, ...writes])
      expect(statements().filter((text) => kind.test(text))).not.toEqual([]);
  });

  it('name the user for each table that they read or change', () => {
    const unnamed = statements().filter(
      (text) => count(text, REFERENCE) > count(text, NAMES_USER) + count(text, BY_IDS_OF_PAGE),
    );
    expect(unnamed).toEqual([]);
  });

  it('name the user of each row that they insert', () => {
    const inserts = statements().filter((text) => /insert into "?(?:orders|order_items)/.test(text));
    const unnamed = inserts.filter(
      (text) => !/insert into "?(?:orders|order_items)"? \([^)]*user_id/.test(text),
    );
    expect(unnamed).toEqual([]);
  });

  it('call no function in returning, and no volatile function', () => {
    const refused = statements().filter((text) => RETURNING_A_CALL.test(text) || VOLATILE.test(text));
    expect(refused).toEqual([]);
  });
});
