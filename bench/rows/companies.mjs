/** The tickets of a thousand companies, once with `rows` and once without: their tables, lists and rows. */
import { register } from 'node:module';
import pg from 'pg';
import { DataSource, Entity } from 'typeorm';
import { IDS_AS_NUMBERS } from '../../scripts/lib/ids-as-numbers.mjs';
import { openSession } from '../lists/session.mjs';
import { root } from '../servers.mjs';

register('./typescript.mjs', import.meta.url);

const COMPANIES = 1_000;
/** The company with 30 % of the tickets. */
export const LARGE = 1;
/** A company with 500 tickets, which are the oldest ones, so that the newest tickets do not contain them. */
export const SMALL = COMPANIES;
const SMALL_TICKETS = 500;

const load = (path) => import(root(path));
const example = (name) => load(`packages/core/test/examples/companies/${name}.ts`);

/**
 * Creates the tables on a new database, unless it has them, and fills them.
 * @param {string} url
 * @param {number} count of the tickets
 */
export async function openCompanies(url, count) {
  const { Company, companyList } = await example('companies');
  const { User, userList } = await example('user.entity');
  const { Comment, Reaction, Ticket } = await example('ticket.entity');
  const { commentList, reactionList, ticketList } = await example('ticket.resource');
  // Registers `rows` of the resources.
  await example('tickets.module');
  const { ACCESS } = await example('access');
  const { defineAccess } = await load('packages/core/dist/index.js');
  const { EntityTable, scopedList } = await load('packages/core/dist/dev.js');
  // Modules of the example have also loaded the roles of the application in src/.
  defineAccess(ACCESS);
  const PlainTicket = class PlainTicket extends Ticket {};
  Entity('plain_tickets')(PlainTicket);
  const plainList = { ...ticketList, name: 'plain tickets', entity: PlainTicket };
  const entities = [Company, User, Ticket, Comment, Reaction, PlainTicket];
  const lists = [companyList, userList, ticketList, commentList, reactionList, plainList];
  const dataSource = await createTables(url, entities, lists);
  const pool = new pg.Pool({ connectionString: url, max: 1, types: IDS_AS_NUMBERS });
  const query = async (statement) => (await pool.query(statement)).rows;
  await seedTickets(query, count);
  const tableOf = (entity) => new EntityTable(dataSource.getMetadata(entity));
  return {
    query,
    scoped: { list: scopedList(ticketList), table: tableOf(Ticket) },
    plain: { list: plainList, table: tableOf(PlainTicket) },
    session: await openSession({ pool, query }),
    close: () => Promise.all([pool.end(), dataSource.destroy()]),
  };
}

/** Runs the migrations of the application, and then what entities and lists declare beyond them. */
async function createTables(url, entities, lists) {
  const { dataSourceOptions } = await load('packages/core/dist/dev.js');
  const { BASE_MIGRATIONS } = await load('packages/core/dist/database/migrations/migrations.js');
  const { findChanges } = await load('packages/dev/dist/migrations/changes.js');
  const { withDataSource } = await load('packages/dev/dist/migrations/data-source.js');
  const { MIGRATIONS } = await load('dist/src/migrations/migrations.js');
  const options = dataSourceOptions(url, { poolSize: 2, statementTimeoutMs: 60_000 });
  const migrations = [...BASE_MIGRATIONS, ...MIGRATIONS];
  const dataSource = await new DataSource({ ...options, entities, migrations }).initialize();
  await dataSource.runMigrations({ transaction: 'each' });
  await withDataSource(url, { entities }, (own) => findChanges(own, lists));
  return dataSource;
}

/** The same share of 0 to 1 for a row and a purpose in every run. */
const share = (purpose) => `(hashint8extended(n, ${purpose}) & 1048575) / 1048576.0`;

const words = (purpose) =>
  `(array['lamp', 'desk', 'cable', 'shade', 'switch', 'base', 'screw', 'frame'])[1 + floor(${share(purpose)} * 8)::int]`;

const insertion = (count) => `
  insert into tickets (company_id, subject, status, created_at, updated_at)
  select
    case
      when n <= ${SMALL_TICKETS} then ${SMALL}
      when ${share(1)} < 0.3 then ${LARGE}
      else 2 + floor(${COMPANIES - 2} * power(${share(2)}, 2))::int
    end,
    concat_ws(' ', initcap(${words(3)}), ${words(4)}, ${words(5)}, n),
    (case when ${share(6)} < 0.05 then 'waiting' when ${share(6)} < 0.15 then 'open' else 'closed' end),
    created_at, created_at
  from (
    select n, timestamptz '2025-01-01' + n * (interval '600 days' / ${count}) as created_at
    from generate_series(1, ${count}) as n
  ) as numbered`;

/** Building indexes on the rows takes a third of the time. */
async function seedTickets(query, count) {
  const [{ isSeeded }] = await query('select exists (select from tickets) as "isSeeded"');
  if (isSeeded) return;
  await query(`insert into companies (name) select 'Company ' || n from generate_series(1, ${COMPANIES}) n`);
  const indexes = await query(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in ('tickets'::regclass, 'plain_tickets'::regclass) and not indisprimary`,
  );
  for (const { name } of indexes) await query(`drop index ${name}`);
  await query(insertion(count));
  const columns = 'company_id, subject, status, created_at, updated_at';
  await query(`insert into plain_tickets (${columns}) select ${columns} from tickets order by id`);
  for (const { definition } of indexes) await query(definition);
  // The rows came in one statement, and are still in the tables of changes.
  await query('select tickets_totals_fold(), plain_tickets_totals_fold()');
  await query('vacuum (analyze, freeze)');
}
