import { DataSource } from 'typeorm';

/** A part of a schema, as PostgreSQL writes it down. */
export interface SchemaPart {
  readonly kind: 'column' | 'constraint' | 'index' | 'function' | 'trigger';
  readonly name: string;
  readonly definition: string;
}

const SCHEMA = `
  select 'column' as kind, table_name || '.' || column_name as name, concat_ws(' ', data_type, udt_name,
    character_maximum_length, numeric_precision, numeric_scale, datetime_precision, collation_name, is_nullable,
    column_default, is_identity) as definition
  from information_schema.columns where table_schema = 'public'
  union all
  select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace
  union all
  select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all
  select 'function', proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  order by 1, 2`;

/** The schema of a database: columns, constraints, indexes, functions and triggers. */
export function schemaOf(dataSource: DataSource): Promise<SchemaPart[]> {
  return dataSource.query<SchemaPart[]>(SCHEMA);
}

/**
 * A definition without what PostgreSQL adds to it, and adds more of each time that it reads its own: casts of text, and
 * parentheses.
 */
export const plain = (definition: string): string =>
  definition.replaceAll(/::(?:character varying|text)(?:\[\])?|[()]/g, '');

/** The parts of one schema that another does not have. */
export function missingParts(from: readonly SchemaPart[], within: readonly SchemaPart[]): SchemaPart[] {
  const textOf = ({ kind, name, definition }: SchemaPart): string =>
    `${kind} ${name} ${kind === 'constraint' ? plain(definition) : definition}`;
  const texts = new Set(within.map(textOf));
  return from.filter((part) => !texts.has(textOf(part)));
}
