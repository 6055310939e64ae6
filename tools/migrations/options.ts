import { parseArgs } from 'node:util';

import { UsageError } from '../usage-error.js';

/** `table.column`. */
export interface ColumnName {
  readonly table: string;
  readonly column: string;
}

/** Decisions that entities cannot express and a person makes. */
export interface Decisions {
  readonly renames: readonly (ColumnName & { readonly to: string })[];
  /** Columns, or whole tables, that are dropped with what they hold. */
  readonly drops: readonly { readonly table: string; readonly column?: string }[];
  /** Values, as SQL, that existing rows get in a column that becomes required. */
  readonly fills: readonly (ColumnName & { readonly value: string })[];
}

export const NO_DECISIONS: Decisions = { renames: [], drops: [], fills: [] };

export interface MigrationOptions {
  /** In words joined by `-`: `add-suppliers`. */
  readonly name: string;
  readonly decisions: Decisions;
  readonly isDryRun: boolean;
}

export const USAGE = `npm run migration:generate -- <name> [options]

Writes a migration to src/migrations/ that brings the tables to what the entities and the lists declare, and
adds it to migrations.ts. It compares with a database of its own that has every migration; yours is not touched.
The name is made of words: add-suppliers.

  --rename <table.column:column>   the column is the same under another name
  --drop <table.column>            the column goes, with what it holds; also a table
  --fill <table.column=SQL>        what rows that are there get in a column that is required from now on
  --dry-run                        prints the migration and writes nothing
  --help`;

/**
 * Reads the command line.
 *
 * @returns null where only help was asked for
 * @throws UsageError
 */
export function readMigrationOptions(args: readonly string[]): MigrationOptions | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0)
    throw new UsageError(`takes one name, such as add-suppliers; got ${positionals.length}`);
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > 60)
    throw new UsageError(
      `${JSON.stringify(name)}: takes words of lower-case letters joined by -, such as add-suppliers`,
    );
  return {
    name,
    isDryRun: values['dry-run'] ?? false,
    decisions: {
      renames: (values.rename ?? []).map((text) => {
        const [, table = '', column = '', to = ''] = matched(
          'rename',
          text,
          /^(\w+)\.(\w+):(\w+)$/,
          'table.column:column',
        );
        return { table, column, to };
      }),
      drops: (values.drop ?? []).map((text) => {
        const [, table = '', column] = matched('drop', text, /^(\w+)(?:\.(\w+))?$/, 'table.column, or table');
        return { table, column };
      }),
      fills: (values.fill ?? []).map((text) => {
        const [, table = '', column = '', value = ''] = matched(
          'fill',
          text,
          /^(\w+)\.(\w+)=(.+)$/s,
          'table.column=SQL',
        );
        return { table, column, value };
      }),
    },
  };
}

function matched(option: string, text: string, form: RegExp, takes: string): RegExpExecArray {
  const match = form.exec(text);
  if (!match) throw new UsageError(`--${option}: got ${JSON.stringify(text)}, takes ${takes}`);
  return match;
}

function parse(args: readonly string[]) {
  const several = { type: 'string', multiple: true } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rename: several,
        drop: several,
        fill: several,
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
