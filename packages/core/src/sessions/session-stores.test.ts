import { setTimeout as sleep } from 'node:timers/promises';

import { MemorySessions } from './session-stores.js';

// What holds for every store is tested over HTTP: test/e2e/auth/sessions.test.ts.
test('sessions in memory end in time though the wall clock is set back', async () => {
  const store = new MemorySessions();
  await store.put('digest', 1, 50);
  const wallClock = jest.spyOn(Date, 'now').mockReturnValue(0);
  await sleep(60);
  expect(await store.find('digest')).toBeUndefined();
  wallClock.mockRestore();
});
