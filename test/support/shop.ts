import { Answer, Client } from '@plinth/dev/testing';

import { Role } from '../../packages/core/src/config/define-access.js';
import { createProxy, TestApp } from './app.js';

export { errorOf } from '@plinth/dev/testing';

/** A user who has logged in. */
export interface Member {
  readonly id: number;
  readonly client: Client;
}

export interface Item {
  readonly id: number;
  readonly productId: number | null;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly lineTotal: number;
}

export interface Order {
  readonly id: number;
  readonly userId: number;
  readonly status: string;
  readonly total: number;
  readonly items: Item[];
}

export const dataOf = <T>({ body }: Answer): T[] => (body as { data: T[] }).data;

/** Creates users, products and orders for tests over HTTP. */
export class Shop {
  private products = 0;

  private constructor(
    readonly app: TestApp,
    readonly admin: Client,
  ) {}

  static async in(app: TestApp): Promise<Shop> {
    return new Shop(app, await app.as('admin'));
  }

  async member(role: Role = 'viewer'): Promise<Member> {
    const client = await this.app.as(role);
    const me = await client.get('/api/v1/users/me');
    return { id: (me.body as { id: number }).id, client };
  }

  /** @returns its id */
  async product(price: number, others: object = {}): Promise<number> {
    const body = { name: `Product ${++this.products}`, price, category: 'tests', ...others };
    return ((await this.admin.post('/api/v1/products', body)).body as { id: number }).id;
  }

  async order({ id, client }: Member, ...lines: [productId: number, quantity: number][]): Promise<Order> {
    const items = lines.map(([productId, quantity]) => ({ productId, quantity }));
    const placed = await client.post(`/api/v1/users/${id}/orders`, { items });
    if (placed.status !== 201) throw new Error(placed.text);
    return placed.body as Order;
  }
}

/** Provides a shop for the following tests. */
export function useShop(app: TestApp): Shop {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.in(app);
  });
  return createProxy(() => shop);
}
