import { Generator } from './generator.js';
import { showProgress } from './progress.js';
import { Random } from './random.js';
import { SeedOptions } from './seed-options.js';
import { SeedRepository } from './seed.repository.js';

/** Rows a statement. */
const BATCH_SIZE = 5000;

/** Adds what is wanted to the database, one kind after the other. */
export async function seed({ wanted, seed: start }: SeedOptions, repository: SeedRepository): Promise<void> {
  const now = new Date();
  for (const { generator, count } of wanted) {
    const random = new Random(start, generator.name);
    const progress = showProgress(generator.name, count);
    await add(generator, batches(generator.rows({ count, random, now })), repository, progress.advance);
    await repository.tidy(generator.entity);
    progress.end();
  }
}

/** Makes the next batch while the database writes the last one. */
async function add(
  { entity }: Generator,
  rows: Iterable<readonly object[]>,
  repository: SeedRepository,
  advance: (by: number) => void,
): Promise<void> {
  let writing = Promise.resolve();
  for (const batch of rows) {
    await writing;
    writing = repository.add(entity, batch).then(() => advance(batch.length));
  }
  await writing;
}

/** Cuts rows into arrays of `BATCH_SIZE`, the last one shorter. */
function* batches<Row>(rows: Iterable<Row>): Iterable<Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
