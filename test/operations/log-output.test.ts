import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const OUTPUT = join(process.cwd(), 'dist/src/http/logging/log-output.js');

/** Logs so many lines and says so on standard error. On SIGTERM flushes, says how long that took, and exits. */
const PROGRAM = `
  const { LogOutput } = await import(process.argv[1]);
  const output = new LogOutput();
  let i = 0;
  const log = () => {
    for (let n = 0; n < 500 && i < Number(process.argv[2]); n++) output.write(JSON.stringify({ i: i++, text: 'ü'.repeat(200) }) + '\\n');
    if (i < Number(process.argv[2])) setImmediate(log);
    else process.stderr.write('logged\\n');
  };
  log();
  process.on('SIGTERM', async () => {
    const from = performance.now();
    await output.flush(8_000);
    process.stderr.write(String(performance.now() - from) + '\\n', () => process.exit(0));
  });
  process.on('SIGINT', () => process.exit(3));
  setInterval(() => undefined, 1_000);
`;

const start = (lines: number, stdout: 'pipe' | number): ChildProcess =>
  spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, OUTPUT, String(lines)], {
    stdio: ['ignore', stdout, 'pipe'],
  });

interface Line {
  readonly i?: number;
  readonly dropped?: number;
}
const parsed = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('F6 the log', () => {
  let child: ChildProcess;
  afterEach(() => child.kill('SIGKILL'));

  it('loses no line where a pipe is read', async () => {
    child = start(10_000, 'pipe');
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (data) => (text += String(data)));
    await once(child.stderr!, 'data');
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(parsed(text).map(({ i }) => i)).toEqual(Array.from({ length: 10_000 }, (_, i) => i));
  });

  it('brings a line that comes alone to a file within a moment', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-log-'));
    const path = join(folder, 'log');
    child = start(1, openSync(path, 'w'));
    for (let waited = 0; waited < 20_000 && readFileSync(path).length === 0; waited += 50) await sleep(50);
    expect(parsed(readFileSync(path, 'utf8')).map(({ i }) => i)).toEqual([0]);
    rmSync(folder, { recursive: true });
  });

  it('drops lines where it is not read, and says how many once it is', async () => {
    const lines = 60_000;
    child = start(lines, 'pipe');
    await once(child.stderr!, 'data');
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (data) => (text += String(data)));
    while (!text.includes('"dropped"')) await sleep(20);
    child.kill('SIGTERM');
    await once(child, 'close');
    const all = parsed(text);
    const dropped = all.reduce((sum, line) => sum + (line.dropped ?? 0), 0);
    expect(dropped).toBeGreaterThan(0);
    expect(all.filter(({ i }) => i !== undefined).length + dropped).toBe(lines);
  });

  it.each([
    ['SIGTERM', 'in order', 0],
    ['SIGINT', 'at once', 3],
  ] as const)(
    'does not keep the process from ending where nobody reads it (%s: %s)',
    async (signal, _how, code) => {
      child = start(60_000, 'pipe');
      let said = '';
      child.stderr?.on('data', (data) => (said += String(data)));
      while (!said.includes('logged')) await sleep(20);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([code, null]);
      child.stdout?.destroy();
      if (code === 0) expect(Number(said.split('\n')[1])).toBeLessThan(7_000);
    },
  );
});
