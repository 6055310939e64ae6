import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const OUTPUT = join(process.cwd(), 'packages/core/dist/http/logging/log-output.js');

/**
 * Logs the given number of lines and reports it on standard error. On SIGTERM, flushes, reports how long that
 * took, and exits.
 */
const PROGRAM = `
  const { LogOutput } = await import(process.argv[1]);
  const output = new LogOutput();
  let i = 0;
  const log = () => {
    for (let n = 0; n < 500 && i < Number(process.argv[2]); n++) output.write(JSON.stringify({ i: i++, text: 'ü'.repeat(200) }) + '\\n');
    if (i < Number(process.argv[2])) setImmediate(log);
    else process.stderr.write('logged\\n');
  };
  process.on('SIGTERM', async () => {
    const from = performance.now();
    await output.flush(2_000);
    output.write('late\\n');
    process.stderr.write(String(performance.now() - from) + '\\n', () => process.exit(0));
  });
  process.on('SIGINT', () => process.exit(3));
  setInterval(() => undefined, 1_000);
  log();
`;

const start = (lines: number): ChildProcess =>
  spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, OUTPUT, String(lines)], {
    stdio: ['ignore', 'pipe', 'pipe'],
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

describe('the log', () => {
  let child: ChildProcess;
  afterEach(() => child.kill('SIGKILL'));

  it('drops lines while nobody reads it, and reports their number later', async () => {
    const lines = 60_000;
    child = start(lines);
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

  it('ignores a line after its end without failing', async () => {
    child = start(1);
    await once(child.stderr!, 'data');
    child.stdout?.resume();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
