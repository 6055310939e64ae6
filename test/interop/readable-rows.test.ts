import { useClient } from '../support/app.js';
import { useInProcess } from '../support/own-app.js';
import { createProduct } from '../support/products.js';
import { ReadableRowsModule } from './readable-rows.module.js';

const MISSING = 2_147_483_647;

describe('a write of a row of another user', () => {
  const app = useInProcess({}, undefined, [ReadableRowsModule]);
  const clients = {
    admin: useClient(app, 'admin'),
    owner: useClient(app, 'viewer'),
    viewer: useClient(app, 'viewer'),
    editor: useClient(app, 'editor'),
  };
  let id: number;

  beforeEach(async () => {
    const { path } = await createProduct(clients.admin);
    id = ((await clients.owner.post(`${path}/reviews`, { rating: 3 })).body as { id: number }).id;
  });

  /** The statuses of a GET and of each write, for an existing row and for a missing one. */
  const statuses = async (by: keyof typeof clients, path: string): Promise<[number, number, number][]> => {
    const writes = [
      ['PATCH', '', { rating: 4 }],
      ['POST', '/approval', undefined],
      ['DELETE', '', undefined],
    ] as const;
    const found: [number, number, number][] = [];
    for (const [method, action, body] of path === 'diaries' ? writes.slice(2) : writes) {
      const sent = async (verb: string, row: number, end: string, content?: object): Promise<number> =>
        (await clients[by].request(verb, `/api/v2/${path}/${row}${end}`, { body: content })).status;
      found.push([
        await sent('GET', id, ''),
        await sent(method, id, action, body),
        await sent(method, MISSING, action, body),
      ]);
    }
    return found;
  };

  it('is answered with 403 if the caller may read the row, even if the write requires staff', async () => {
    expect(await statuses('viewer', 'opinions')).toEqual([
      [200, 403, 404],
      [200, 403, 404],
      [200, 403, 404],
    ]);
    expect(await statuses('editor', 'diaries')).toEqual([[200, 403, 404]]);
  });

  it('is answered with 404 if the caller may not read the row, as for a missing one', async () => {
    expect(await statuses('viewer', 'diaries')).toEqual([[404, 404, 404]]);
  });

  it('is allowed to owners and to staff with the permission', async () => {
    expect(await statuses('owner', 'opinions')).toEqual([
      [200, 200, 404],
      [200, 201, 404],
      [200, 204, 404],
    ]);
  });
});
