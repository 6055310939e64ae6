import { setTimeout as sleep } from 'node:timers/promises';

import { MemorySessions } from './session-stores.js';

// The rules of every store are tested over HTTP, in test/e2e/auth/sessions.test.ts.
test('a session in memory expires in time even if the wall clock is set back', async () => {
  const store = new MemorySessions();
  await store.put('digest', 1, 50);
  const wallClock = jest.spyOn(Date, 'now').mockReturnValue(0);
  await sleep(60);
  expect(await store.find('digest')).toBeUndefined();
  wallClock.mockRestore();
});
