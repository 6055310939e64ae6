import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Prints the bound that is computed, and what V8 tells a thread where no option says otherwise, in MiB. */
const PROGRAM = `
  import { once } from 'node:events';
  import { Worker } from 'node:worker_threads';
  import { OLD_GENERATION_LIMIT } from '${pathToFileURL('dist/src/operations/heap.js').href}';
  const thread = new Worker('setTimeout(() => {}, 1e6)', { eval: true });
  await once(thread, 'online');
  console.log(OLD_GENERATION_LIMIT / 2 ** 20, thread.resourceLimits.maxOldGenerationSizeMb);
  process.exit();`;

/** In a process of its own, for V8 takes its options once. */
async function bounds(nodeArguments: readonly string[], nodeOptions = ''): Promise<number[]> {
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
  it('is near what V8 chooses', async () => {
    const [computed = 0, chosen = 0] = await bounds([]);
    expect(computed / chosen).toBeGreaterThan(0.91);
    expect(computed / chosen).toBeLessThan(1.1);
  });

  it.each([
    [64, ['--max-old-space-size=64']],
    [512, ['--max-old-space-size=512', '--max-semi-space-size=64']],
    [700, ['--max_semi_space_size=3', '--max_old_space_size=700']],
  ])('is what an option says: %d MiB', async (expected, options) => {
    expect((await bounds(options))[0]).toBe(expected);
  });

  it('has the young generation taken off that an option says', async () => {
    const [computed, chosen] = await bounds(['--max-semi-space-size=5']);
    expect(computed).toBe(chosen);
  });

  it('is what NODE_OPTIONS says, unless the command says otherwise', async () => {
    const nodeOptions = '--max-old-space-size="333" --max-semi-space-size=5';
    expect((await bounds([], nodeOptions))[0]).toBe(333);
    expect((await bounds(['--max-old-space-size=444'], nodeOptions))[0]).toBe(444);
  });
});
