import { useClient } from '../support/app.js';
import { useInProcess } from '../support/own-app.js';
import { startStockNest, StockNest } from '../support/stock-nest.js';
import { NestedModule } from './nested.module.js';

const app = useInProcess({}, undefined, [NestedModule]);
const editor = useClient(app, 'editor');

let stock: StockNest;
beforeAll(async () => {
  stock = await startStockNest(NestedModule);
});
afterAll(() => stock.stop());

const post = (route: string, body: unknown) => editor.post(`/api/v1/nested/${route}`, body);

interface Refusal {
  readonly error: { readonly status: number; readonly details?: readonly { field: string; code: string }[] };
}

async function faultsOf(route: string, body: unknown): Promise<string[]> {
  const { error } = (await post(route, body)).body as Refusal;
  return [String(error.status), ...(error.details ?? []).map(({ field, code }) => `${field} ${code}`)];
}

const circle = { type: 'circle', r: 1 };
const square = { type: 'square', side: 2 };
const wide = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`m${index}`, { amount: 1 }]));

describe('a nested body that stock NestJS accepts', () => {
  it.each<[string, unknown]>([
    ['drawing', { shape: circle }],
    ['drawing', { shape: square, more: [circle, square] }],
    ['owner', { pet: { kind: 'cat', lives: 9 } }],
    ['owner', { pet: { kind: 'fish', isSalty: true, name: 'Nemo' } }],
    ['owner', { pet: { kind: 'bird', name: 'Tweety' } }],
    ['collections', { prices: { eur: { amount: 1 }, nok: { amount: 2 } } }],
    ['collections', { fees: [{ amount: 1 }, { amount: 2 }], tags: ['a', 'b', 'a'] }],
    ['collections', { counts: { a: 1, b: 2 }, prices: {} }],
    ['names', { first_name: 'Ada' }],
    ['names', { first_name: 'Ada', home_address: { post_code: 5003 } }],
    ['visible', { name: 'a', role: 'admin', password: 'x', credit: { amount: 1 }, rank: 1, level: 2 }],
    ['strict', { name: 'a', secret: 'b' }],
    ['transformed', { tags: 'a,b' }],
    ['transformed', { city: null, due: 1_000_000_000, link: 'https://example.com/', word: 'good' }],
    ['transformed', { settings: '{"a":[1]}', plain: { x: 1 } }],
    ['transformed', { fees: { amount: 3 } }],
    ['transformed', { fees: [{ amount: 3 }, { amount: 4 }], size: 0 }],
    ['category', { name: 'a', parent: { name: 'b', parent: { name: 'c' } }, children: [{ name: 'd' }] }],
    ['book', { title: 'a', author: { name: 'b', books: [{ title: 'c', author: { name: 'd' } }] } }],
    ['partial', {}],
    ['partial', { first_name: 'Ada', home_address: { post_code: 1 } }],
    ['picked', { shape: square }],
    ['omitted', { prices: { eur: { amount: 1 } }, counts: { a: 1 } }],
    ['both', { name: 'a', children: [{ name: 'b' }], prices: { eur: { amount: 1 } } }],
    ['derived', { name: 'a', extra: 1, fees: [{ amount: 1 }] }],
    ['payment', { by: 'card', from: { last: '1234' } }],
    ['payment', { by: 'account', from: { iban: 'NO93' } }],
  ])('reaches the handler as in stock NestJS: %s %j', async (route, body) => {
    const expected = await stock.request('POST', `/api/v1/nested/${route}`, body);
    expect(expected.isTaken).toBe(true);
    expect((await post(route, body)).body).toEqual(expected.shown);
  });
});

describe('a nested body that stock NestJS refuses', () => {
  it.each<[string, unknown, ...string[]]>([
    ['drawing', { shape: { ...circle, r: -1 } }, '422', 'shape.r TOO_SMALL'],
    ['drawing', { shape: { ...circle, side: 1 } }, '400', 'shape.side UNKNOWN_FIELD'],
    ['drawing', { shape: null }, '400', 'shape WRONG_TYPE'],
    ['drawing', { shape: 'circle' }, '400', 'shape WRONG_TYPE'],
    ['drawing', { shape: circle, more: [square, { type: 'circle' }] }, '400', 'more.1.r REQUIRED'],
    ['drawing', { shape: { type: 'line', length: 1 } }, '422', 'shape.type NOT_ALLOWED'],
    ['drawing', { shape: { r: 1 } }, '400', 'shape.type REQUIRED'],
    ['drawing', { shape: circle, more: [{ ...square, type: 7 }] }, '422', 'more.0.type NOT_ALLOWED'],
    ['owner', { pet: { kind: 'cat', lives: 'x' } }, '400', 'pet.lives WRONG_TYPE'],
    ['owner', { pet: { kind: 'bird', wings: 2 } }, '400', 'pet.wings UNKNOWN_FIELD'],
    ['collections', { prices: { eur: { amount: -1 } } }, '422', 'prices.eur.amount TOO_SMALL'],
    ['collections', { prices: { eur: { amount: 1, tax: 2 } } }, '400', 'prices.eur.tax UNKNOWN_FIELD'],
    ['collections', { prices: { eur: 7 } }, '400', 'prices.eur WRONG_TYPE'],
    ['collections', { fees: [{ amount: 1 }, { amount: 0 }] }, '422', 'fees.1.amount TOO_SMALL'],
    ['collections', { counts: { a: 1.5 } }, '400', 'counts WRONG_TYPE'],
    ['names', { firstName: 'Ada' }, '400', 'firstName UNKNOWN_FIELD', 'first_name REQUIRED'],
    ['names', { first_name: 'A' }, '422', 'first_name TOO_SHORT'],
    [
      'names',
      { first_name: 'Ada', home_address: { post_code: 'x' } },
      '400',
      'home_address.post_code WRONG_TYPE',
    ],
    ['transformed', { settings: '{' }, '400', 'settings WRONG_TYPE'],
    ['transformed', { link: 'x y' }, '400', 'link WRONG_TYPE'],
    ['transformed', { fees: [{ amount: 1, tax: 1 }] }, '400', 'fees.0.tax UNKNOWN_FIELD'],
    ['transformed', { word: 'bad' }, '400'],
    [
      'category',
      { name: 'a', parent: { name: 'b', parent: { name: 7 } } },
      '400',
      'parent.parent.name WRONG_TYPE',
    ],
    ['partial', { first_name: 7 }, '400', 'first_name WRONG_TYPE'],
    ['picked', { shape: { ...square, r: 1 } }, '400', 'shape.r UNKNOWN_FIELD'],
    ['derived', { name: 'a', extra: 1, fees: [{ amount: 'x' }] }, '400', 'fees.0.amount WRONG_TYPE'],
    [
      'payment',
      { by: 'card', from: { iban: 'NO93' } },
      '400',
      'from.iban UNKNOWN_FIELD',
      'from.last REQUIRED',
    ],
  ])('is refused with a fault for each field, by its name in JSON: %s %j', async (route, body, ...faults) => {
    expect((await stock.request('POST', `/api/v1/nested/${route}`, body)).isTaken).toBe(false);
    expect(await faultsOf(route, body)).toEqual(faults);
  });
});

describe('a nested body that stock NestJS accepts, but the contract does not', () => {
  it.each<[string, unknown, ...string[]]>([
    // Stock NestJS creates an empty Shape from this.
    ['drawing', { shape: {} }, '400', 'shape.type REQUIRED'],
    // `@Exclude()` on the class hides unknown fields from the stock pipe.
    ['strict', { name: 'a', other: 1 }, '400', 'other UNKNOWN_FIELD'],
    ['collections', { counts: { a: '1' } }, '400', 'counts.a WRONG_TYPE'],
    ['collections', { prices: wide }, '422', 'prices TOO_MANY'],
    ['transformed', { plain: wide }, '422', 'plain TOO_MANY'],
  ])('is refused: %s', async (route, body, ...faults) => {
    expect((await stock.request('POST', `/api/v1/nested/${route}`, body)).isTaken).toBe(true);
    expect(await faultsOf(route, body)).toEqual(faults);
  });
});
