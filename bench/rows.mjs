/** `npm run bench:rows`: what lists of one company cost PostgreSQL, beside lists of all rows. `--help` lists the options. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, fillMemory, openDatabase } from './database.mjs';
import { timed, WARM_UPS } from './lists/run.mjs';
import { LARGE, openCompanies, SMALL } from './rows/companies.mjs';
import { root } from './servers.mjs';

const USAGE = `npm run bench:rows -- [options]

  --rows <n>       tickets in each of the two tables  (1000000)
  --data <folder>  keeps the database there: the next run with it finds its rows`;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    data: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const { CursorCodec, readListQuery } = await import(root('packages/core/dist/dev.js'));
const { listStatement, totalStatement } = await import(root('packages/core/dist/lists/list-statement.js'));

const LIMIT = 20;
const CURSORS = new CursorCodec(['a-secret-of-the-benchmark-with-more-than-32-bytes']);

const count = Number(values.rows);
const directory = values.data ? resolve(values.data) : await mkdtemp(join(tmpdir(), 'service-bench-'));
if (!values.data) await chmod(directory, 0o755); // PostgreSQL may run as another user
const isKept = values.data !== undefined;
const database = await openDatabase({ directory, isKept, products: 2 * count }, console.log);
try {
  const companies = await openCompanies(database.url, count);
  const client = await connect(database.url);
  if (!database.isShared) await fillMemory(client);
  await client.end();
  console.log(await reportOn(companies));
  await companies.close();
} finally {
  await database.close();
  if (!values.data) await rm(directory, { recursive: true, force: true });
}

/** Measures each request of each caller, and returns a table in Markdown. */
async function reportOn({ session, query, scoped, plain }) {
  const callers = [
    ['small company', scoped, SMALL],
    ['large company', scoped, LARGE],
    ['staff', scoped],
    ['without `rows`', plain],
  ];
  const columns = [];
  for (const [title, served, companyId] of callers) {
    const requests = await requestsOf({ query, served, companyId });
    const cells = new Map();
    for (const [name, statement] of requests) cells.set(name, await measure(session, query, statement));
    columns.push({ title, cells });
  }
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const show = (cost) => `${cost.ms.toFixed(cost.ms < 10 ? 2 : 0)} ms, ${cost.buffers}`;
  return [
    `${count.toLocaleString('en')} tickets; the reference took ${(await session.reference()).toFixed(0)} ms.`,
    '',
    line(['request', ...columns.map(({ title }) => title)]),
    line(['---', ...columns.map(() => '---:')]),
    ...[...columns[0].cells.keys()].map((name) =>
      line([name, ...columns.map(({ cells }) => show(cells.get(name)))]),
    ),
  ].join('\n');
}

/** @returns {Promise<[name: string, statement: object][]>} the statements of the requests of one caller */
async function requestsOf({ query, served: { list, table }, companyId }) {
  const parse = (text) => ({
    ...readListQuery(list, text, CURSORS),
    ...(companyId && { scope: { except: [], anyOf: [[{ property: 'companyId', ids: [companyId] }]] } }),
  });
  const at = (text) => listStatement(table, parse(text));
  const [{ listTotal }] = await query(at('page=1'));
  const middle = Math.ceil(listTotal / 2);
  const row = at(`page=${middle}&limit=1`);
  const [key] = await query({
    text: `select "createdAt"::text as at, "id"::text as id from (${row.text}) as page`,
    values: row.values,
  });
  const after = { ...parse('cursor='), position: { style: 'cursor', after: [key.at, key.id] } };
  return [
    ['total', totalStatement(table, parse('page=1'))],
    ['page 1, with total', at('page=1')],
    ['page in the middle, with total', at(`page=${Math.ceil(middle / LIMIT)}`)],
    ['first page by cursor', at('cursor=')],
    ['page by cursor in the middle', listStatement(table, after)],
    ['`status=waiting`', at('page=1&status=waiting')],
    ['`sort=subject:asc`', at('page=1&sort=subject:asc')],
    ['`status=open&sort=subject:desc`', at('page=1&status=open&sort=subject:desc')],
  ];
}

async function measure(session, query, statement) {
  const work = () => query(statement);
  for (let times = 0; times < WARM_UPS; times++) await work();
  return timed(session, work);
}
