import { Client } from '../support/client.js';
import { faultsOf } from '../support/faults-of.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { PipedModule } from './piped.module.js';

let app: OwnApp;
let editor: Client;

beforeAll(async () => {
  app = await startInProcess({}, undefined, [PipedModule]);
  editor = await app.as('editor');
});
afterAll(() => app.stop());

describe('a ValidationPipe of a route', () => {
  const piped = (path: string, body: unknown) => editor.post(`/api/v1/piped/${path}`, body);

  it('gets what the pipe of the application has read', async () => {
    const body = { name: 'a', note: 'b' };
    expect((await piped('class', body)).body).toEqual(body);
    expect((await piped('own', body)).body).toEqual({ is: 'TidyDto' });
  });

  it('changes nothing of what that refuses', async () => {
    for (const path of ['class', 'own'])
      expect(await faultsOf(piped(path, { name: 5, note: 'longer', extra: 1 }))).toEqual([
        '400 VALIDATION_FAILED',
        'name WRONG_TYPE',
        'extra UNKNOWN_FIELD',
        'note TOO_LONG',
      ]);
  });
});
