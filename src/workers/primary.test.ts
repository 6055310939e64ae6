import { Primary } from './primary.js';
import { SharedPort } from './shared-port.js';
import { WorkerPool } from './worker-pool.js';

const PORT_CLOSED_MS = 2_900;

describe('F11 a primary that stops', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('kills workers that hang before an embedded database stops, however long the port took to close', async () => {
    const begin = performance.now();
    let killedAfterMs: number | undefined;
    const port = { isOpen: true, close: () => after(PORT_CLOSED_MS) };
    let end: () => void;
    const pool = {
      stop: () => new Promise<void>((resolve) => (end = resolve)),
      kill: () => {
        killedAfterMs = performance.now() - begin;
        end();
      },
    };
    const primary = new Primary(port as unknown as SharedPort, pool as unknown as WorkerPool);
    const stopped = primary.drain().then(() => primary.close());
    await jest.advanceTimersByTimeAsync(PORT_CLOSED_MS);
    await jest.advanceTimersByTimeAsync(10_000);
    await stopped;
    expect(killedAfterMs).toBeLessThan(8_000);
  });
});

const after = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
