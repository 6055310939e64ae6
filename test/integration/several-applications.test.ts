import { startInProcess } from '../support/own-app.js';
import { describeWithOwnService } from '../support/needs.js';

describeWithOwnService('applications in one process', () => {
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
});
