import type { Role } from '../../../src/core/access/permissions.js';
import type { OrderStatus } from '../../../src/orders/order-status.js';

/*
 * The demo data. Whatever has the id 42 is what the examples of the OpenAPI document show, to the letter: a test
 * executes each of them against these rows.
 */

/** The id in the examples. */
export const EXAMPLE_ID = 42;

/** Ids from here to the last are the demo's; what is added later gets higher ones. */
export const FIRST_DEMO_ID = 35;
export const LAST_DEMO_ID = 100;

const EXAMPLE_TIME = Date.parse('2026-11-20T09:30:00.000Z');
const DAY_MS = 24 * 3600 * 1000;

/** What has the example's id is the newest, so that lists begin with it. */
const timesOf = (id: number): { createdAt: string; updatedAt: string } => {
  const daysAgo = id === EXAMPLE_ID ? 0 : LAST_DEMO_ID - id;
  const time = new Date(EXAMPLE_TIME - daysAgo * DAY_MS).toISOString();
  return { createdAt: time, updatedAt: time };
};

const user = (id: number, name: string, role: Role) => ({
  id,
  name,
  role,
  email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
  ...timesOf(id),
});

const [ADA, GRACE, HEDY, ALAN, EDITH] = [42, 43, 44, 45, 46] as const;

export const DEMO_USERS = [
  user(ADA, 'Ada Lovelace', 'viewer'),
  user(GRACE, 'Grace Hopper', 'editor'),
  user(HEDY, 'Hedy Lamarr', 'admin'),
  user(ALAN, 'Alan Turing', 'viewer'),
  user(EDITH, 'Edith Clarke', 'viewer'),
];

interface Item {
  readonly name: string;
  readonly price: number;
  readonly category: string;
  readonly inStock?: boolean;
  readonly description?: string;
}

const product = (id: number, { inStock = true, description, ...item }: Item) => ({
  id,
  ...item,
  inStock,
  description: description ?? null,
  ...timesOf(id),
});

export const DEMO_PRODUCTS = [
  product(35, { name: 'Linen tea towel', price: 9.5, category: 'kitchen' }),
  product(36, { name: 'Cast iron casserole', price: 119, category: 'kitchen' }),
  product(37, { name: 'Birch stool', price: 79.9, category: 'furniture' }),
  product(38, { name: 'Ash coffee table', price: 249, category: 'furniture' }),
  product(39, { name: 'Velvet armchair', price: 499, category: 'furniture', inStock: false }),
  product(40, { name: 'Glass wall light', price: 64.5, category: 'lighting' }),
  product(41, { name: 'Oak bookshelf', price: 329, category: 'furniture' }),
  product(EXAMPLE_ID, {
    name: 'Walnut desk lamp',
    price: 49.9,
    category: 'lighting',
    description: 'Turned from one block, with a linen shade.',
  }),
  product(43, { name: 'Brass floor lamp', price: 129, category: 'lighting' }),
  product(44, { name: 'Copper pendant light', price: 189, category: 'lighting' }),
];

interface Line {
  readonly id: number;
  readonly productId: number;
  readonly quantity: number;
}

/** An order of lines at the prices of the products, with its items and their exact total. */
function order(id: number, userId: number, status: OrderStatus, lines: readonly Line[]) {
  const items = lines.map((line) => {
    const { name, price } = DEMO_PRODUCTS.find((one) => one.id === line.productId) as Item;
    return { ...line, orderId: id, userId, productName: name, unitPrice: price, ...timesOf(line.id) };
  });
  const cents = items.reduce(
    (sum, { unitPrice, quantity }) => sum + Math.round(unitPrice * 100) * quantity,
    0,
  );
  return { row: { id, userId, status, total: cents / 100, ...timesOf(id) }, items };
}

const ORDERS = [
  order(37, ALAN, 'delivered', [{ id: 35, productId: 42, quantity: 1 }]),
  order(38, ADA, 'cancelled', [{ id: 36, productId: 39, quantity: 1 }]),
  order(39, ADA, 'delivered', [
    { id: 37, productId: 36, quantity: 1 },
    { id: 38, productId: 35, quantity: 4 },
  ]),
  order(40, ADA, 'shipped', [
    { id: 39, productId: 41, quantity: 1 },
    { id: 40, productId: 37, quantity: 2 },
  ]),
  order(41, ADA, 'paid', [{ id: 41, productId: 40, quantity: 2 }]),
  order(EXAMPLE_ID, ADA, 'pending', [{ id: EXAMPLE_ID, productId: EXAMPLE_ID, quantity: 2 }]),
];

export const DEMO_ORDERS = ORDERS.map(({ row }) => row);
export const DEMO_ORDER_ITEMS = ORDERS.flatMap(({ items }) => items);

const review = (id: number, productId: number, userId: number, rating: number, comment: string | null) => ({
  id,
  productId,
  userId,
  rating,
  comment,
  ...timesOf(id),
});

export const DEMO_REVIEWS = [
  review(37, 36, ADA, 5, 'Heavy, and worth it.'),
  review(38, 41, ADA, 3, 'One board was scratched; the spare came in two days.'),
  review(39, 42, EDITH, 4, null),
  review(40, 42, ALAN, 4, 'The switch is on the cord.'),
  review(41, 42, HEDY, 5, 'A lamp for a lifetime.'),
  review(EXAMPLE_ID, 42, GRACE, 4, 'Warm light, heavy foot.'),
];

/** Ada’s key. Nobody knows it: its digest is made up. */
export const DEMO_API_KEY = {
  id: EXAMPLE_ID,
  userId: ADA,
  name: 'Nightly export',
  permissions: ['read' as const],
  hint: 'pX3_aQ',
  lastUsedAt: new Date(EXAMPLE_TIME).toISOString(),
  ...timesOf(EXAMPLE_ID),
};

/** One of Ada’s logins, which issued nothing and never expires. */
export const DEMO_LOGIN = {
  id: EXAMPLE_ID,
  userId: ADA,
  userAgent: 'Mozilla/5.0',
  address: '192.0.2.7',
  lastSeenAt: new Date(EXAMPLE_TIME).toISOString(),
  expiresAt: '2999-12-31T00:00:00.000Z',
  ...timesOf(EXAMPLE_ID),
};

/** Hides one product from Ada. */
export const DEMO_GRANT = {
  id: EXAMPLE_ID,
  resourceType: 'product' as const,
  resourceId: 44,
  userId: ADA,
  apiKeyId: null,
  permissions: ['read' as const],
  effect: 'deny' as const,
  ...timesOf(EXAMPLE_ID),
};
