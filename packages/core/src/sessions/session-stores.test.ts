import { setTimeout as sleep } from 'node:timers/promises';

import { MemorySessions } from './session-stores.js';

// test/e2e/auth/sessions.test.ts tests, over HTTP, the rules that all stores share.
test('a session in memory expires in time even if the wall clock is set back', async () => {
  const store = new MemorySessions();
  await store.put('digest', 1, 50);
  const wallClock = jest.spyOn(Date, 'now').mockReturnValue(0);
  await sleep(60);
  expect(await store.find('digest')).toBeUndefined();
  wallClock.mockRestore();
});
