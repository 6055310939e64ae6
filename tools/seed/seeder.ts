import { Existing, NOTHING, PROPERTIES } from './existing.js';
import { Generator } from './generator.js';
import { GENERATORS } from './generators.js';
import { showProgress } from './progress.js';
import { Random } from './random.js';
import { SeedOptions } from './seed-options.js';
import { SeedRepository } from './seed.repository.js';

/** Rows a transaction. */
const BATCH_SIZE = 5000;

/**
 * Adds what is wanted to the database, one kind after the other.
 *
 * @param say takes lines for the one who looks on
 * @throws Error before anything is added where there is nothing that rows could refer to; later where there is no room
 *   for as many as are wanted: what was added stays
 */
export async function seed(
  { wanted, seed: start }: SeedOptions,
  repository: SeedRepository,
  say: (line: string) => void,
): Promise<void> {
  await checkNeeds(wanted, repository);
  const now = new Date();
  for (const { generator, count } of wanted) {
    const { name, entity, parts, changes = [], needs = [], note } = generator;
    const random = new Random(start, name);
    const lastId = await repository.lastId(entity);
    const existing = await load(needs, repository);
    const rows = withShared(
      generator.rows({ count, random, now, lastId, existing }),
      (await generator.shared?.()) ?? {},
    );
    const progress = showProgress(name, count);
    const added = await add(generator, rows, count, repository, progress.advance);
    for (const table of [entity, ...(parts ? [parts.entity] : []), ...changes]) await repository.tidy(table);
    progress.end(added);
    if (note !== undefined) say(note);
    if (added < count) throw new Error(noRoom(generator, added, count));
  }
}

async function checkNeeds(wanted: SeedOptions['wanted'], repository: SeedRepository): Promise<void> {
  const isMade = new Set(wanted.map(({ generator }) => generator.name));
  for (const { generator } of wanted) {
    for (const need of generator.needs ?? []) {
      if (isMade.has(need) || (await repository.lastId(entityOf(need))) > 0) continue;
      throw new Error(`${generator.name} need ${need}, and there are none: add --${need} 100, say`);
    }
  }
}

const noRoom = ({ name, needs = [] }: Generator, added: number, count: number): string =>
  `there was room for ${added} of ${count} ${name} only: every other one is there already; ` +
  `add ${needs.map((need) => `--${need}`).join(' or ')}`;

async function load(needs: readonly (keyof Existing)[], repository: SeedRepository): Promise<Existing> {
  const existing: Record<string, unknown> = { ...NOTHING };
  for (const need of needs) existing[need] = await repository.existing(entityOf(need), PROPERTIES[need]);
  return existing as unknown as Existing;
}

const entityOf = (name: keyof Existing): Generator['entity'] =>
  (GENERATORS.find((generator) => generator.name === name) as Generator).entity;

function* withShared(rows: Iterable<object>, shared: object): IterableIterator<object> {
  for (const row of rows) yield { ...row, ...shared };
}

/**
 * Makes the next batch while the database writes the last one, until there are as many as wanted or no more to be had.
 *
 * @returns how many were added
 */
async function add(
  generator: Generator,
  rows: IterableIterator<object>,
  count: number,
  repository: SeedRepository,
  advance: (by: number) => void,
): Promise<number> {
  // Neither written nor on the way.
  let missing = count;
  let writing = Promise.resolve();
  for (;;) {
    const wanted = Math.min(BATCH_SIZE, missing);
    const batch = take(rows, wanted);
    missing -= batch.length;
    await writing;
    const isLast = batch.length < wanted;
    if (batch.length === 0 && (isLast || missing === 0)) return count - missing;
    writing = repository.add(generator, batch).then((added) => {
      missing += batch.length - added;
      advance(added);
    });
  }
}

/** The next rows, fewer where there are no more. */
function take<Row>(rows: Iterator<Row>, count: number): Row[] {
  const batch: Row[] = [];
  while (batch.length < count) {
    const { done, value } = rows.next() as IteratorResult<Row, undefined>;
    if (done) break;
    batch.push(value);
  }
  return batch;
}
