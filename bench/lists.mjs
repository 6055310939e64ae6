/**
 * `npm run bench:lists`: what each query of the list of products costs PostgreSQL, on the rows of a shop as shops are. The
 * README describes the rows. `--help` lists the options.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, fillMemory, openDatabase } from './database.mjs';
import { overBound, reportOf } from './lists/report.mjs';
import { runCombinations } from './lists/run.mjs';
import { openService } from './lists/session.mjs';
import { seedShop } from './lists/shop.mjs';

const USAGE = `npm run bench:lists -- [options]

  --rows <n,n>     products; the last number is reported, as a ratio to the first  (10000,1000000)
  --only <regexp>  queries, such as 'category=trio&sort=price'
  --data <folder>  keeps the databases there: the next run with it finds their rows
  --smoke          10,000 rows: checks the buffers that each query reads, and measures no time`;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,1000000' },
    only: { type: 'string' },
    data: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const SMOKE_ROWS = 10_000;
const sizes = values.smoke ? [SMOKE_ROWS] : values.rows.split(',').map(Number);
const results = [];
for (const rows of sizes) results.push(await runOn(rows));
const last = results.at(-1);
if (values.smoke) {
  const faults = overBound(last);
  for (const line of faults) console.log(line);
  console.log(`${last.length - faults.length} passed, ${faults.length} failed`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} else console.log(reportOf(last, results[0]));
// The service keeps a connection to its database open for a minute.
process.exit();

async function runOn(rows) {
  const directory = values.data
    ? join(resolve(values.data), String(rows))
    : await mkdtemp(join(tmpdir(), 'service-bench-'));
  if (!values.data) await chmod(directory, 0o755); // PostgreSQL may run as another user
  const isKept = values.data !== undefined;
  const database = await openDatabase({ directory, isKept, products: rows }, console.log);
  try {
    const service = await openService(database.url);
    const client = await connect(database.url);
    try {
      await seedShop(client, rows);
      if (!database.isShared) await fillMemory(client);
      const only = values.only && new RegExp(values.only);
      const log = (line) => process.stderr.isTTY && process.stderr.write(`${line}\n`);
      const before = values.smoke ? 0 : await service.session.reference();
      const found = await runCombinations(service, { only, log, isSmoke: values.smoke });
      if (!values.smoke)
        console.log(
          `${rows.toLocaleString('en')} rows: ${found.length} queries; the reference took ` +
            `${before.toFixed(0)} ms before and ${(await service.session.reference()).toFixed(0)} ms after.`,
        );
      return found;
    } finally {
      await client.end();
      await service.close();
    }
  } finally {
    await database.close();
    if (!values.data) await rm(directory, { recursive: true, force: true });
  }
}
