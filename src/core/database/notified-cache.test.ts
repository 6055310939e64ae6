import { NotifiedCache } from './notified-cache.js';

class FakeNotifications {
  heardUntil = -Infinity;
  private listeners: (() => void)[] = [];

  onGap(listener: () => void): void {
    this.listeners.push(listener);
  }

  gap(): void {
    for (const listener of this.listeners) listener();
  }
}

interface Value {
  readonly id: number;
}

describe('NotifiedCache', () => {
  let notifications: FakeNotifications;
  let cache: NotifiedCache<Value>;
  let now: number;
  let reads: number;
  const read = async (): Promise<Value> => ({ id: ++reads });

  beforeEach(() => {
    notifications = new FakeNotifications();
    now = 0;
    reads = 0;
    cache = new NotifiedCache<Value>(notifications, { max: 10, ownersOf: ({ id }) => [id] }, () => now);
  });

  it('remembers for as long as changes are heard', async () => {
    await cache.load('a', read);
    now = 1_000_000;
    notifications.heardUntil = now - 1_000;
    expect(await cache.load('a', read)).toEqual({ id: 1 });
  });

  it('remembers for a second while none is heard', async () => {
    await cache.load('a', read);
    now = 1_000;
    expect(cache.get('a')).toEqual({ id: 1 });
    now = 1_001;
    expect(cache.get('a')).toBeUndefined();
    // Something was heard, and it was not of this value.
    notifications.heardUntil = 600;
    expect(cache.get('a')).toEqual({ id: 1 });
  });

  it('forgets what is told, and everything where something may have been missed', async () => {
    await cache.load('a', read);
    await cache.load('b', read);
    cache.forget(1);
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, { id: 2 }]);
    notifications.gap();
    expect(cache.get('b')).toBeUndefined();
  });

  it('keeps what was read of an owner after it was forgotten, and forgets all where owners are too many', async () => {
    cache.forget(1);
    await cache.load('a', read);
    expect(cache.get('a')).toEqual({ id: 1 });
    for (let owner = 2; owner <= 12; owner++) cache.forget(owner);
    expect(cache.get('a')).toBeUndefined();
  });

  it('asks once for those who ask at the same time', async () => {
    expect(await Promise.all([cache.load('a', read), cache.load('a', read)])).toEqual([{ id: 1 }, { id: 1 }]);
  });

  it('does not keep, nor give to later ones, what was read while something changed', async () => {
    let answer: (value: Value) => void = () => undefined;
    const early = cache.load('a', () => new Promise((resolve) => (answer = resolve)));
    cache.forget(7);
    const late = cache.load('a', read);
    answer({ id: 99 });
    expect([await early, await late]).toEqual([{ id: 99 }, { id: 1 }]);
    expect(cache.get('a')).toEqual({ id: 1 });
  });

  it('remembers no absence and no failure', async () => {
    expect(await cache.load('a', async () => undefined)).toBeUndefined();
    await expect(cache.load('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.load('a', read)).toEqual({ id: 1 });
  });
});
