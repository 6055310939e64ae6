import { useClient } from '../support/app.js';
import { useInProcess } from '../support/own-app.js';
import { startStockNest, StockNest } from '../support/stock-nest.js';
import { AskedModule } from './queries.module.js';

const app = useInProcess({}, undefined, [AskedModule]);
const editor = useClient(app, 'editor');

let stock: StockNest;
beforeAll(async () => {
  stock = await startStockNest(AskedModule);
});
afterAll(() => stock.stop());

const get = (path: string) => editor.get(path);

interface Refusal {
  readonly error: { readonly code: string; readonly details: readonly { field: string; code: string }[] };
}

async function faultsOf(path: string): Promise<string[]> {
  const { error } = (await get(path)).body as Refusal;
  return [error.code, ...error.details.map(({ field, code }) => `${field} ${code}`)];
}

describe('a query that stock NestJS accepts', () => {
  it.each([
    'dto?page=2&sort_by=name',
    'open?open=true',
    'open?open=false&tags=a,b',
    'hidden?name=a&role=admin',
  ])('reaches the handler as in stock NestJS: %s', async (query) => {
    const path = `/api/v1/asked/${query}`;
    const { isTaken, shown } = await stock.request('GET', path);
    expect(isTaken).toBe(true);
    expect((await get(path)).body).toEqual(shown);
  });
});

// The strict pipe of stock NestJS refuses parameters of a DTO that another argument of the same method names.
describe('arguments of a method that name parameters of one query', () => {
  it.each<[string, object]>([
    ['asked/beside?page=2&z=a', { page: 2, z: 'a' }],
    ['asked/beside?z=a', { z: 'a' }],
    ['asked/named-first?sort_by=name', { sortBy: 'name', z: 7 }],
    ['asked/named-first?z=8&page=1', { page: 1, z: 8 }],
    ['asked/two?page=2&open=true&tags=a', { page: 2, open: true, tags: ['a'] }],
    ['asked/lists?ids=1&ids=2&page=3', { page: 3, ids: ['1', '2'] }],
    ['asked/all?page=2&other=b', { page: { page: 2 }, all: { page: '2', other: 'b' } }],
    ['asked/oslo/places/7', { shop: 'oslo', row: 7 }],
  ])('receive the parameters that they name: %s', async (path, expected) => {
    expect((await get(`/api/v1/${path}`)).body).toEqual(expected);
  });

  it.each([
    ['/api/v1/asked/beside?y=1&z=2', 'INVALID_QUERY', 'y UNKNOWN_FIELD'],
    ['/api/v1/asked/beside?z=2&page=x', 'INVALID_QUERY', 'page WRONG_TYPE'],
    ['/api/v1/asked/beside?z=2&z=3', 'INVALID_QUERY', 'z REPEATED'],
    ['/api/v1/asked/two?sortBy=name', 'INVALID_QUERY', 'sortBy UNKNOWN_FIELD'],
    ['/api/v1/asked/two?page=1&page=2', 'INVALID_QUERY', 'page REPEATED'],
    ['/outside?y=1', 'INVALID_QUERY', 'y UNKNOWN_FIELD'],
  ])('refuse what none of them names: %s', async (path, ...faults) => {
    expect(await faultsOf(path)).toEqual(faults);
  });

  it('refuse unknown parameters outside of the API as well', async () => {
    expect((await get('/outside?page=2&z=a')).body).toEqual({ page: 2, z: 'a' });
  });
});
