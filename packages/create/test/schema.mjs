import pg from 'pg';

/** Queries for the parts of a schema as text, without the list of migrations and the objects of extensions. */
const PARTS = [
  `select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default)
   from information_schema.columns where table_schema = 'public'`,
  `select indexdef from pg_indexes where schemaname = 'public'`,
  `select format('%s: %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
   from pg_constraint where connamespace = 'public'::regnamespace`,
  `select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`,
  `select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'`,
];

/** The definitions of a database's tables, indexes, constraints, triggers and functions, sorted. */
export async function schemaOf(url) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const texts = [];
    for (const query of PARTS) {
      const { rows } = await client.query({ text: query, rowMode: 'array' });
      texts.push(...rows.flat().sort());
    }
    return texts;
  } finally {
    await client.end();
  }
}
