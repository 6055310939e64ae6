import { DataSource, QueryRunner } from 'typeorm';

import { withRollback } from './data-source.js';
import { Statements } from './migration-files.js';

/**
 * Selects the definitions of all columns, constraints, indexes and enums as one text. Statements that match `REMOVABLE`
 * change nothing else.
 */
const STATE = `
  select string_agg(d, e'\\n' order by d) as state from (
    select concat_ws(' ', c.oid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
      attgenerated, attcollation, pg_get_expr(adbin, adrelid)) as d
    from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where c.oid >= 16384 and relkind in ('r', 'p')
    union all
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where oid >= 16384
    union all
    select indexdef from pg_indexes where schemaname not like 'pg\\_%'
    union all
    select concat_ws(' ', enumtypid::regtype, array_agg(enumlabel order by enumsortorder))
    from pg_enum group by enumtypid
  ) states`;

/**
 * The statements that may be removed. Others, such as those for sequences, change something that `STATE` does not show.
 */
const REMOVABLE = /^(?:ALTER (?:TABLE|TYPE)|(?:CREATE|DROP) (?:TYPE|(?:UNIQUE )?INDEX)) /;

/**
 * Removes the statements that change nothing. TypeORM compares declarations with the database as text, and some texts
 * never match: `'1.5'`, which `numeric(12,2)` stores as `1.50`, an expression that PostgreSQL prints differently, or an
 * `enumName` that equals TypeORM's default.
 *
 * Tries the statements on the database and rolls them back. If a statement of `up` or `down` fails, keeps that list
 * unchanged: the statement cannot run in a transaction, or it fails again later, and the error is reported then.
 */
export const removeNoOps = (dataSource: DataSource, { up, down }: Statements): Promise<Statements> =>
  withRollback(dataSource, async (runner) => ({
    up: await findNeeded(up, runner),
    down: await findNeeded(down, runner),
  }));

async function findNeeded(statements: readonly string[], runner: QueryRunner): Promise<readonly string[]> {
  const needed: string[] = [];
  try {
    const states = [await runner.query(STATE).then(JSON.stringify)];
    for (const statement of statements) {
      await runner.query(statement);
      states.push(await runner.query(STATE).then(JSON.stringify));
    }
    // If a later state equals the current one, the statements in between cancel each other out, and are skipped.
    // Statements that are not `REMOVABLE` are never skipped.
    for (let at = 0; at < statements.length; at++) {
      const end = statements.findIndex((statement, i) => i >= at && !REMOVABLE.test(statement));
      at = states.slice(0, end < 0 ? undefined : end + 1).lastIndexOf(states[at] ?? '');
      needed.push(...statements.slice(at, at + 1));
    }
    return needed;
  } catch {
    return statements;
  }
}
