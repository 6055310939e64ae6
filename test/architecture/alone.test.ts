import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

/** Fails where another process is at the same work. */
const WORKER = `
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { alone } from './scripts/lib/alone.mjs';
const [, name, room] = process.argv;
console.log = () => undefined;
await alone(name, async () => {
  writeFileSync(room, '', { flag: 'wx' });
  await sleep(5);
  rmSync(room);
});
`;

describe('alone()', () => {
  let folder: string;
  let name: string;
  let lock: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'alone-'));
    name = `alone-${randomUUID()}`;
    const clone = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 16);
    lock = join(tmpdir(), `${name}-${clone}.lock`);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    for (const file of [lock, `${lock}.removal`]) rmSync(file, { force: true });
  });

  /** What processes that begin together write to their standard errors. */
  function faultsOf(count: number): Promise<string[]> {
    const args = ['--input-type=module', '-e', WORKER, name, join(folder, 'room')];
    return Promise.all(
      Array.from({ length: count }, async () => {
        const { stderr } = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
        return (await buffer(stderr)).toString();
      }),
    );
  }

  it('lets one process after the other work, after one that was killed', async () => {
    // No process has this id: it is above the highest.
    writeFileSync(lock, '99999999');
    expect(await faultsOf(5)).toEqual(Array(5).fill(''));
    expect(existsSync(lock)).toBe(false);
  });
});
