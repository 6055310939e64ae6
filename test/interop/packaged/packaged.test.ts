import { EventEmitterModule } from '@nestjs/event-emitter';
import { ScheduleModule } from '@nestjs/schedule';
import { eventually } from '@plinth/dev/testing';

import { useClient } from '../../support/app.js';
import { useInProcess } from '../../support/own-app.js';
import { heard, NotesModule } from './notes.module.js';

const app = useInProcess({}, undefined, [
  EventEmitterModule.forRoot(),
  ScheduleModule.forRoot(),
  NotesModule.forRoot({ greeting: 'hello' }),
]);
const admin = useClient(app, 'admin');

const create = async (text: string, price: number | null = null): Promise<string> => {
  const { headers } = await admin.post('/api/v1/notes', { text, price });
  return headers.get('location')!;
};

it('the module of another package brings its table, routes and options along', async () => {
  const location = await create('first', 2.5);
  expect((await admin.get(location)).body).toMatchObject({ text: 'first', price: 2.5 });
  const ready = await fetch(`${app.baseUrl}/health/ready`);
  expect(ready.status).toBe(200);
});

it('@nestjs/event-emitter notifies listeners once, after the commit', async () => {
  await create('told');
  expect(heard.filter((text) => text === 'hello, told')).toHaveLength(1);
  const key = { 'idempotency-key': 'a-key-of-this-test' };
  for (let i = 0; i < 2; i++) await admin.post('/api/v1/notes', { text: 'repeated' }, key);
  expect(heard.filter((text) => text === 'hello, repeated')).toHaveLength(1);
});

it('@nestjs/schedule runs jobs after the database has been migrated', async () => {
  await eventually(() => Promise.resolve(heard.some((text) => /^counted \d+$/.test(text))), true, 30_000);
  expect(JSON.stringify(app.log)).not.toContain('relation \\"notes\\" does not exist');
});
