import { once } from 'node:events';
import { createServer } from 'node:net';

import { acceptQueued } from './drain.js';

describe('F11 a server that accepts what was opened before it stops', () => {
  it('does so for half a second, however much the other threads of the process compute', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    // As where a core for each thread hashes passwords.
    const usage = jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 4_000_000, system: 0 });
    let isAccepting = true;
    const work = (): void => {
      const end = performance.now() + 1;
      while (performance.now() < end);
      if (isAccepting) setImmediate(work);
    };
    work();
    const begin = performance.now();
    await acceptQueued(server);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(500);
    isAccepting = false;
    usage.mockRestore();
    server.close();
  });
});
