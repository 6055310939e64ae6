import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Prints what is learned, in MiB, and what V8 tells a thread by default. */
const PROGRAM = `
  import { once } from 'node:events';
  import { Worker } from 'node:worker_threads';
  import { oldGenerationLimit } from '${pathToFileURL('dist/src/operations/heap.js').href}';
  const thread = new Worker('setTimeout(() => {}, 1e6)', { eval: true });
  await once(thread, 'online');
  console.log((await oldGenerationLimit()) / 2 ** 20, thread.resourceLimits.maxOldGenerationSizeMb);
  process.exit();`;

/** With a start of its own, for V8 takes its options once. */
async function learned(nodeArguments: readonly string[], nodeOptions = ''): Promise<number[]> {
  const { stdout } = await run(
    process.execPath,
    [...nodeArguments, '--input-type=module', '--eval', PROGRAM],
    {
      env: { NODE_OPTIONS: nodeOptions },
    },
  );
  return stdout.split(' ').map(Number);
}

describe('the bound of the old generation', () => {
  it('is what V8 chose', async () => {
    const [limit, chosen] = await learned([]);
    expect(limit).toBe(chosen);
  });

  it.each([
    [64, ['--max-old-space-size=64']],
    [512, ['--max-old-space-size=512', '--max-semi-space-size=64']],
    [700, ['--max_old_space_size=700', '--max_semi_space_size=3']],
  ])('is what an option says: %d MiB', async (expected, options) => {
    expect((await learned(options))[0]).toBe(expected);
  });

  it('is what NODE_OPTIONS says, unless the command says otherwise', async () => {
    const nodeOptions = '--max-old-space-size=333 --max-semi-space-size=5';
    expect((await learned([], nodeOptions))[0]).toBe(333);
    expect((await learned(['--max-semi-space-size=32'], nodeOptions))[0]).toBe(333);
  });
});
