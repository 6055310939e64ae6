import { Client } from '../support/client.js';
import { Envelope, faultsOf } from '../support/faults-of.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { PipedModule } from './piped.module.js';
import { TolerantProductsModule } from './tolerant-products.module.js';

let app: OwnApp;
let editor: Client;

beforeAll(async () => {
  app = await startInProcess({}, undefined, [PipedModule, TolerantProductsModule]);
  editor = await app.as('editor');
});
afterAll(() => app.stop());

describe('a ValidationPipe of NestJS', () => {
  const piped = (path: string, body: unknown) => editor.post(`/api/v1/piped/${path}`, body);

  it('says which groups count', async () => {
    expect((await piped('groups', { name: 'a' })).status).toBe(201);
    expect(await faultsOf(piped('groups', { size: 1 }))).toEqual(['400 VALIDATION_FAILED', 'name REQUIRED']);
  });

  it('says what becomes of unknown fields', async () => {
    expect((await piped('local', { name: 'a', extra: 1 })).body).toEqual({ name: 'a' });
    expect(await faultsOf(piped('local', { name: 5 }))).toEqual(['400 VALIDATION_FAILED', 'name WRONG_TYPE']);
  });

  it('as a class changes nothing', async () => {
    expect(await faultsOf(piped('class', { name: 'a', extra: 1 }))).toEqual([
      '400 VALIDATION_FAILED',
      'extra UNKNOWN_FIELD',
    ]);
  });

  it('says it of the bodies of a resource, too, whose own rules stay', async () => {
    const path = '/api/v1/tolerant-products';
    const product = { name: 'Oak lamp', price: 5, category: 'lamps' };
    const created = await editor.post(path, { ...product, extra: 1 });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ ...product, inStock: true });
    expect(await faultsOf(editor.post(path, { ...product, price: -1, extra: 1 }))).toEqual([
      '422 UNPROCESSABLE_ENTITY',
      'price TOO_SMALL',
    ]);
    const one = created.headers.get('location')!;
    expect(await faultsOf(editor.patch(one, { extra: 1 }))).toEqual([
      '400 VALIDATION_FAILED',
      'extra UNKNOWN_FIELD',
    ]);
    expect(await faultsOf(editor.post('/api/v1/products', { ...product, extra: 1 }))).toEqual([
      '400 VALIDATION_FAILED',
      'extra UNKNOWN_FIELD',
    ]);
  });

  it("of a team's own validates alone", async () => {
    expect((await piped('foreign', { name: 'a', extra: 1 })).body).toEqual({ name: 'a' });
    const { body } = await piped('foreign', { name: 5 });
    expect((body as Envelope).error).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'name must be a string',
    });
  });
});
