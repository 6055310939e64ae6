import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { processorMsOf } from './processor-time.js';
import { Silence } from './silence.js';

const SPINNING_MS = 30_000;

describe('the silence of a worker', () => {
  let usedMs: number | undefined;
  let silence: Silence;
  beforeEach(() => {
    usedMs = 0;
    silence = new Silence(1_000, () => usedMs);
  });
  const ofStart = (now: number): number => silence.msOfStart(now, SPINNING_MS);

  it('lasts from its start or its last word', () => {
    expect(silence.ms(5_000)).toBe(4_000);
    silence.end(5_000);
    expect(silence.ms(6_000)).toBe(1_000);
  });

  it('does not grow while it starts and runs, if only for a hundredth of a second at a time', () => {
    for (let second = 2; second < 200; second++) {
      usedMs = 10 * second;
      expect(ofStart(second * 1_000)).toBe(0);
    }
  });

  it('grows where it starts and runs now and then for minutes, without a word', () => {
    for (let second = 2; second <= 301; second++) {
      usedMs = 10 * second;
      expect(ofStart(second * 1_000)).toBe(0);
    }
    for (let second = 302; second < 310; second++) {
      usedMs = 10 * second;
      expect(ofStart(second * 1_000)).toBe((second - 301) * 1_000);
    }
  });

  it('grows where it starts and stands still', () => {
    usedMs = 10;
    expect(ofStart(2_000)).toBe(0);
    expect(ofStart(32_000)).toBe(30_000);
  });

  it('grows where it starts and spins without a word', () => {
    usedMs = SPINNING_MS;
    expect(ofStart(40_000)).toBe(0);
    usedMs += 10;
    expect(ofStart(41_000)).toBe(1_000);
    silence.end(42_000);
    usedMs += 10;
    expect(ofStart(43_000)).toBe(0);
  });

  it('grows where nobody knows whether it runs', () => {
    usedMs = undefined;
    expect(ofStart(31_000)).toBe(30_000);
  });
});

// Elsewhere there is no /proc to read it from, and it is unknown as the last test says.
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('the processor time of a process', () => {
  onLinux('is known while it is there', async () => {
    const child = spawn(process.execPath, ['-e', 'console.log(); process.stdin.resume()'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const used = processorMsOf(child.pid ?? 0);
    expect(used).toBeGreaterThan(0);
    expect(used).toBeLessThan(60_000);
    child.stdin.end();
    await once(child, 'exit');
    expect(processorMsOf(child.pid ?? 0)).toBeUndefined();
  });

  it('is unknown of what is not there', () => {
    expect(processorMsOf(0)).toBeUndefined();
  });
});
