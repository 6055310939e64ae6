import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

/** What the schema has, by name, and how the catalogue shows it. */
const OF_SCHEMA: Readonly<Record<string, string>> = {
  'row triggers': `pg_trigger where not tgisinternal and tgtype & 1 = 1`,
  'statement triggers': `pg_trigger where not tgisinternal and tgtype & 1 = 0`,
  'transition tables': `pg_trigger where tgoldtable is not null or tgnewtable is not null`,
  'triggers with a condition': `pg_trigger where not tgisinternal and tgqual is not null`,
  'truncate triggers': `pg_trigger where not tgisinternal and tgtype & 32 = 32`,
  'triggers of some columns': `pg_trigger where not tgisinternal and tgattr <> ''`,
  'deferrable constraints': `pg_constraint where condeferrable and connamespace = 'public'::regnamespace`,
  'exclusion constraints': `pg_constraint where contype = 'x'`,
  'check constraints': `pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`,
  'foreign keys': `pg_constraint where contype = 'f'`,
  'foreign keys of two columns': `pg_constraint where contype = 'f' and cardinality(conkey) > 1`,
  'on delete cascade': `pg_constraint where contype = 'f' and confdeltype = 'c'`,
  'on delete set null': `pg_constraint where contype = 'f' and confdeltype = 'n'`,
  'unique keys': `pg_index join pg_class on pg_class.oid = indexrelid
    where indisunique and not indisprimary and relnamespace = 'public'::regnamespace`,
  'expression indexes': `pg_index where indrelid >= 16384 and indexprs is not null`,
  'covering indexes': `pg_index where indrelid >= 16384 and indnkeyatts < indnatts`,
  'partial indexes': `pg_index where indrelid >= 16384 and indpred is not null`,
  'nulls not distinct': `pg_index where coalesce((to_jsonb(pg_index)->>'indnullsnotdistinct')::boolean, false)`,
  'indexes other than B-trees': `pg_class join pg_am on pg_am.oid = relam
    where relkind = 'i' and relnamespace = 'public'::regnamespace and amname <> 'btree'`,
  'ICU collations': `pg_attribute join pg_collation on pg_collation.oid = attcollation
    where attrelid >= 16384 and collprovider = 'i'`,
  'identity columns': `pg_attribute where attrelid >= 16384 and attidentity <> ''`,
  'generated columns': `pg_attribute where attrelid >= 16384 and attgenerated <> ''`,
  'storage parameters': `pg_class where relnamespace = 'public'::regnamespace and reloptions is not null`,
  'tables without a primary key': `pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    and not exists (select 1 from pg_index where indrelid = pg_class.oid and indisprimary)`,
  PL_pgSQL: `pg_proc join pg_language on pg_language.oid = prolang
    where pronamespace = 'public'::regnamespace and lanname = 'plpgsql'`,
  'partitioned tables': `pg_class where relkind = 'p'`,
  views: `pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace`,
  extensions: `pg_extension where extname <> 'plpgsql'`,
  enums: `pg_type where typtype = 'e' and typnamespace = 'public'::regnamespace`,
};

/** What statements have, by name, and how their text shows it. */
const OF_STATEMENTS: Readonly<Record<string, RegExp>> = {
  'for update': /\bfor update\b/,
  'for no key update': /\bfor no key update\b/,
  'for share': /\bfor (key )?share\b/,
  'skip locked': /\bskip locked\b/,
  nowait: /\bfor \w+ nowait\b/,
  'lock table': /\block table\b/,
  'on conflict': /\bon conflict\b/,
  returning: /\breturning\b/,
  'writes in with': /\bas (not materialized |materialized )?\(\s*(insert into|update|delete from)\b/,
  'with recursive': /\bwith recursive\b/,
  'with ordinality': /\bwith ordinality\b/,
  lateral: /\blateral\b\s*\(/,
  'group by cube': /\bgroup by (cube|rollup|grouping sets)\b/,
  'filter (where …)': /\bfilter \(where\b/,
  'is distinct from': /\bis (not )?distinct from\b/,
  'any(array)': /= any\(/,
  'array(select …)': /\barray\(select\b/,
  ctid: /\b(ctid|tableoid)\b/,
  xmin: /\b(xmin|xmax)\b/,
  'update … from': /\bset\b[^;]*\bfrom\b[^;]*\bwhere\b/,
  window: /\bover \(/,
  listen: /\blisten "/,
  vacuum: /\bvacuum "/,
  truncate: /\btruncate \$|\btruncate (table )?"/,
  'create table as': /\bcreate table \S* ?as select\b/,
  'begin transaction read only': /\btransaction read only\b/,
  'show transaction_read_only': /\bshow transaction_read_only\b/,
  'create index concurrently': /\bcreate (unique )?index concurrently\b/,
  'temporary tables': /\bcreate (temp|temporary) table\b/,
  cursors: /\bdeclare \w+ cursor\b/,
  copy: /\bcopy \w+ (from|to)\b/,
};

/** Types and functions of every SQL engine, and names of functions that words of other strings have in common with. */
const ORDINARY = new Set(
  `abs array_length ascii avg bit bool cast ceil char character coalesce count date exp float float4 float8 floor int2 int4 int8
  integer interval left length lower max md5 min mod name now numeric position power repeat replace reverse right round
  row sign sqrt substr substring sum text time timestamp timestamptz timezone trim upper values varchar version
  format get path random point box circle concat corr date_part degrees div every host family overlaps timeofday time
  text_pattern_lt translate trunc lpad rpad split_part mode rank`.split(/\s+/),
);

const FUNCTIONS = `select distinct proname as name from pg_proc where pronamespace = 'pg_catalog'::regnamespace`;

/** Runs a statement in a database that has every migration. */
type Ask = (text: string) => Promise<{ readonly name: string }[]>;

/** What of PostgreSQL the schema and the statements of the sources use: features by name, and functions. */
export async function postgresFeatures(ask: Ask): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [name, from] of Object.entries(OF_SCHEMA)) {
    const rows = await ask(`select '' as name from ${from} limit 1`);
    if (rows.length > 0) found.add(name.replace('_', '/'));
  }
  const types = `select distinct format_type(atttypid, null) as name from pg_attribute
    join pg_class on pg_class.oid = attrelid where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0`;
  for (const { name } of await ask(types)) found.add(`type ${name}`);
  const text = strings().join('\n');
  for (const [name, pattern] of Object.entries(OF_STATEMENTS)) if (pattern.test(text)) found.add(name);
  const functions = new Set((await ask(FUNCTIONS)).map(({ name }) => name));
  for (const [, called, mentioned] of text.matchAll(/\b(?:([a-z_][a-z0-9_]+)\(|(pg_[a-z_]+)\b)/g)) {
    const name = called ?? mentioned ?? '';
    if (functions.has(name) && !ORDINARY.has(name)) found.add(`${name}()`);
  }
  return found;
}

/** The strings of the sources, migrations among them, each expression within one as `$`. */
function strings(): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node))
      found.push(
        [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('$'),
      );
    ts.forEachChild(node, visit);
  };
  for (const file of sources(join(process.cwd(), 'src')))
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return found;
}

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('docs/'))
    .map((name) => join(folder, name));
