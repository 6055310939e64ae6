import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const DOCUMENT = 'dist/openapi.json';
const ENSURE = `
  const { ensureDocument, readDocument } = await import('./scripts/lib/openapi.mjs');
  await ensureDocument();
  console.log(readDocument().openapi);`;

/** A process that needs the document, and what it says. */
async function built(): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', ENSURE], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return output;
}

it('the OpenAPI document is built by one process at a time, and is whole whenever it is read', async () => {
  expect(await built()).toBe('3.1.0\n');
  const files = new Set([statSync(DOCUMENT).ino]);
  rmSync('dist/.openapi-stamp');
  const building = { isOver: false };
  const both = Promise.all([built(), built()]).finally(() => (building.isOver = true));
  while (!building.isOver) {
    expect(JSON.parse(readFileSync(DOCUMENT, 'utf8'))).toMatchObject({ openapi: '3.1.0' });
    files.add(statSync(DOCUMENT).ino);
    await sleep(2);
  }
  files.add(statSync(DOCUMENT).ino);
  for (const output of await both) expect(output).toMatch(/^(waiting for .*\n)?3\.1\.0\n$/);
  // The one before, and one that took its place.
  expect(files.size).toBe(2);
});
