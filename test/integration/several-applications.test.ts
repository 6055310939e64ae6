import { pino } from 'pino';

import { AppModule } from '../../src/app.module.js';
import { createApp } from '../../src/core/app/app.factory.js';
import { readConfig } from '../../src/core/config/read-config.js';
import { createDatabase } from '../support/databases.js';
import { startInProcess } from '../support/own-app.js';
import { DEFAULTS, NO_PRESSURE, SECRET } from '../support/settings.js';

describe('applications in one process', () => {
  it('each complete their routes from what was written: a POST has its transaction in all of them', async () => {
    for (let i = 0; i < 3; i++) {
      const app = await startInProcess({});
      try {
        const client = await app.as('viewer');
        const create = () => client.post('/api/v1/api-keys', { name: 'Key' }, { 'idempotency-key': 'one' });
        const [first, second] = [await create(), await create()];
        expect([first.status, second.status]).toEqual([201, 201]);
        expect(second.body).toEqual(first.body);
        expect((await client.post('/api/v1/api-keys', { name: 'Another' })).status).toBe(201);
      } finally {
        await app.stop();
      }
    }
  });
  it('have their documents before anybody asks for them', async () => {
    const database = await createDatabase();
    const config = readConfig(DEFAULTS, () => SECRET);
    const options = { logger: pino({ level: 'silent' }), pressure: NO_PRESSURE };
    const { nest, prepareDocs } = await createApp(AppModule, config, database.url, options);
    try {
      await prepareDocs();
      // Documents are made of it.
      (nest.getHttpAdapter().getInstance().policies as Map<string, unknown>).clear();
      for (const path of [
        'docs/openapi.json',
        'docs/openapi.yaml',
        'docs/v2/openapi.json',
        'reference/v1.json',
      ]) {
        const { statusCode } = await nest.inject({
          method: 'GET',
          url: `/${path}`,
          headers: { host: 'localhost' },
        });
        expect([path, statusCode]).toEqual([path, 200]);
      }
    } finally {
      await nest.close();
      await database.drop();
    }
  });
});
