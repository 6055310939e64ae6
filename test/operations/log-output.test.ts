import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const OUTPUT = join(process.cwd(), 'dist/src/http/logging/log-output.js');

/** Logs so many lines, says on standard error when, and how long its event loop was blocked at most; then flushes. */
const PROGRAM = `
  const { LogOutput } = await import(process.argv[1]);
  const output = new LogOutput();
  let longest = 0, last = performance.now(), i = 0;
  const tick = setInterval(() => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; }, 1);
  const log = () => {
    for (let n = 0; n < 500 && i < Number(process.argv[2]); n++) output.write(JSON.stringify({ i: i++, text: 'x'.repeat(200) }) + '\\n');
    if (i < Number(process.argv[2])) setImmediate(log);
    else process.stderr.write('logged\\n');
  };
  log();
  process.on('SIGTERM', async () => {
    clearInterval(tick);
    const from = performance.now();
    await output.flush(8_000);
    process.stderr.write(JSON.stringify({ longest, flushed: performance.now() - from }) + '\\n', () => process.exit(0));
  });
`;

/** Logs lines beyond ASCII to a stream of its own in place of the pipe, and tells what was written at once. */
const WRITES = `
  import { Writable } from 'node:stream';
  const { LogOutput } = await import(process.argv[1]);
  const writes = [];
  const stream = new Writable({ write(chunk, _encoding, done) { writes.push(chunk.toString()); setImmediate(done); } });
  const output = new LogOutput(1, () => stream);
  for (let i = 0; i < 2_000; i++) output.write(JSON.stringify({ i, text: 'ü漢'.repeat(i % 200) }) + '\\n');
  await output.flush(8_000);
  process.stdout.write(JSON.stringify(writes), () => process.exit(0));
`;

/** Logs a text of more bytes than a block, without a newline at its end, and tells what was written. */
const UNENDED = `
  import { Writable } from 'node:stream';
  const { LogOutput } = await import(process.argv[1]);
  let written = '';
  const stream = new Writable({ write(chunk, _encoding, done) { written += chunk; done(); } });
  const output = new LogOutput(1, () => stream);
  output.write('{"i":1}\\n' + '漢'.repeat(3_000));
  await output.flush(8_000);
  process.stdout.write(written, () => process.exit(0));
`;

/** Logs a line a millisecond until it is told to end, and says then how many. */
const GOES_ON = `
  const { LogOutput } = await import(process.argv[1]);
  const output = new LogOutput();
  let i = 0;
  const each = setInterval(() => output.write(JSON.stringify({ i: i++, text: 'x'.repeat(300 + i % 50) }) + '\\n'), 1);
  process.on('SIGTERM', async () => {
    clearInterval(each);
    await output.flush(8_000);
    process.stderr.write(i + '\\n', () => process.exit(0));
  });
`;

/** Logs ten lines, then nothing. */
const FALLS_SILENT = `
  const { LogOutput } = await import(process.argv[1]);
  const output = new LogOutput();
  for (let i = 0; i < 10; i++) output.write(JSON.stringify({ i }) + '\\n');
  await output.flush(8_000);
  process.stderr.write('logged\\n');
  setInterval(() => undefined, 1_000);
`;

const start = (lines: number, stdout: 'pipe' | number) =>
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
  it('loses no line where it is read', async () => {
    const child = start(15_000, 'pipe');
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (data) => (text += String(data)));
    await once(child.stderr!, 'data');
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(parsed(text).map(({ i }) => i)).toEqual(Array.from({ length: 15_000 }, (_, i) => i));
  });

  it('goes to a file as it goes to a pipe', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-log-'));
    const path = join(folder, 'log');
    const child = start(15_000, openSync(path, 'a'));
    await once(child.stderr!, 'data');
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(parsed(readFileSync(path, 'utf8')).map(({ i }) => i)).toEqual(
      Array.from({ length: 15_000 }, (_, i) => i),
    );
    rmSync(folder, { recursive: true });
  });

  it('writes whole lines at once beyond ASCII too, and no more bytes than a pipe takes', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', WRITES, OUTPUT], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (data) => (said += String(data)));
    await once(child, 'close');
    const writes = JSON.parse(said) as string[];
    expect(writes.filter((text) => !text.endsWith('\n') || Buffer.byteLength(text) > 4_096)).toEqual([]);
    expect(parsed(writes.join('')).map(({ i }) => i)).toEqual(Array.from({ length: 2_000 }, (_, i) => i));
  });

  it('writes a text that does not end a line', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', UNENDED, OUTPUT], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 60_000,
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (data) => (said += String(data)));
    await once(child, 'close');
    expect(said).toBe(`{"i":1}\n${'漢'.repeat(3_000)}`);
  });

  it('brings a line that comes alone to a file within a moment', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-log-'));
    const path = join(folder, 'log');
    const child = start(1, openSync(path, 'a'));
    await once(child.stderr!, 'data');
    for (let waited = 0; waited < 10_000 && readFileSync(path).length === 0; waited += 50) await sleep(50);
    expect(parsed(readFileSync(path, 'utf8')).map(({ i }) => i)).toEqual([0]);
    child.kill('SIGTERM');
    await once(child, 'close');
    rmSync(folder, { recursive: true });
  });

  it('waits for nobody where it is not read: lines are dropped, and a line says how many', async () => {
    const lines = 60_000;
    const child = start(lines, 'pipe');
    await once(child.stderr!, 'data');
    // Read from now on.
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (data) => (text += String(data)));
    while (!text.includes('"dropped"')) await sleep(20);
    child.kill('SIGTERM');
    await once(child, 'close');
    const all = parsed(text);
    const dropped = all.reduce((sum, line) => sum + (line.dropped ?? 0), 0);
    const kept = all.filter(({ i }) => i !== undefined).length;
    expect(dropped).toBeGreaterThan(0);
    expect(kept + dropped).toBe(lines);
  });

  it('goes on where a file takes no more, and again does: what was lost is told, no line is torn', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-log-'));
    const path = join(folder, 'log');
    // As on a full disk, writes past the bound fail, and the one that reaches it is cut.
    const args = ['-c', 'ulimit -S -f 600; exec "$0" --input-type=module -e "$1" "$2"'];
    const child = spawn('sh', [...args, process.execPath, GOES_ON, OUTPUT], {
      stdio: ['ignore', openSync(path, 'a'), 'pipe'],
    });
    let said = '';
    child.stderr!.setEncoding('utf8').on('data', (text) => (said += String(text)));
    try {
      let [size, fullFor] = [0, 0];
      for (let waited = 0; waited < 60_000 && fullFor < 40; waited += 50) {
        await sleep(50);
        const now = statSync(path).size;
        fullFor = now === size && now > 0 ? fullFor + 1 : 0;
        size = now;
      }
      const before = readFileSync(path, 'utf8');
      truncateSync(path);
      for (let waited = 0; waited < 20_000 && !readFileSync(path, 'utf8').includes('"dropped"'); waited += 50)
        await sleep(50);
      child.kill('SIGTERM');
      await once(child, 'close');
      const after = readFileSync(path, 'utf8');
      expect([before.at(-1) === '\n', after[0] === '\n']).toEqual([false, true]);
      const all = parsed(before.slice(0, before.lastIndexOf('\n')) + after);
      const dropped = all.reduce((sum, line) => sum + (line.dropped ?? 0), 0);
      const kept = all.filter(({ i }) => i !== undefined).length;
      expect([dropped > 1_000, kept + dropped]).toEqual([true, Number(said)]);
    } finally {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });

  it('tells what a full file lost though no line comes any more, and ends the line that another process tore', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-log-'));
    const path = join(folder, 'log');
    writeFileSync(path, ' '.repeat(1_048_576));
    const args = ['-c', 'ulimit -S -f 600; exec "$0" --input-type=module -e "$1" "$2"'];
    const child = spawn('sh', [...args, process.execPath, FALLS_SILENT, OUTPUT], {
      stdio: ['ignore', openSync(path, 'a'), 'pipe'],
    });
    try {
      await once(child.stderr!, 'data');
      writeFileSync(path, '{"i":');
      for (let waited = 0; waited < 20_000 && !readFileSync(path, 'utf8').endsWith('}\n'); waited += 50)
        await sleep(50);
      const [torn, ...lines] = readFileSync(path, 'utf8').split('\n');
      expect([torn, parsed(lines.join('\n'))]).toEqual(['{"i":', [expect.objectContaining({ dropped: 10 })]]);
    } finally {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });

  it('does not keep the process from ending where nobody reads it at all', async () => {
    const child = start(60_000, 'pipe');
    let said = '';
    child.stderr?.on('data', (data) => (said += String(data)));
    while (!said.includes('logged')) await sleep(20);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    child.stdout?.destroy();
    await once(child, 'close');
    const { longest, flushed } = JSON.parse(said.split('\n')[1] ?? '') as Record<string, number>;
    // A blocked write would last until somebody reads: for ever.
    expect(longest).toBeLessThan(5_000);
    expect(flushed).toBeLessThan(7_000);
  });
});
