import { formatStatement, withConstraint } from './format-sql.js';

/** The statements of a migration, each list in its order of execution. */
export interface Statements {
  readonly up: readonly string[];
  readonly down: readonly string[];
}

export const NOTHING: Statements = { up: [], down: [] };

/** One after the other; what goes down goes in the opposite order. */
export function inSequence(parts: readonly Statements[]): Statements {
  return { up: parts.flatMap(({ up }) => up), down: parts.toReversed().flatMap(({ down }) => down) };
}

interface SqlInMemory {
  readonly upQueries: readonly { readonly query: string }[];
  readonly downQueries: readonly { readonly query: string }[];
}

/** Statements of TypeORM's schema builder in the style of the migrations. */
export function statementsOf({ upQueries, downQueries }: SqlInMemory): Statements {
  return {
    up: upQueries.map(({ query }) => formatStatement(query)),
    down: downQueries.toReversed().map(({ query }) => formatStatement(query)),
  };
}

/**
 * The same in fewer statements: foreign keys are part of the table that has them, where what they point at is there
 * before it, and nothing is dropped of a table that is dropped as a whole.
 */
export function condensed({ up, down }: Statements): Statements {
  const tables = new Map<string, number>();
  const statements: string[] = [];
  for (const statement of up) {
    const [, table = '', constraint = '', referenced = ''] =
      /^alter table (\S+) add (constraint \S+ foreign key .* references (\S+) .*)$/.exec(statement) ?? [];
    const at = tables.get(table);
    if (at !== undefined && (tables.get(referenced) ?? -1) <= at) {
      statements[at] = withConstraint(statements[at] as string, constraint);
      continue;
    }
    const created = /^create table (\S+) /.exec(statement)?.[1];
    if (created) tables.set(created, statements.length);
    statements.push(statement);
  }
  const indexes = new Map(
    up.flatMap((statement) => {
      const [, index, table] = /^create (?:unique )?index (\S+) on (\S+) /.exec(statement) ?? [];
      return index && table ? [[index, table] as const] : [];
    }),
  );
  const isOfNewTable = (statement: string): boolean => {
    const index = /^drop index (\S+)$/.exec(statement)?.[1];
    const table = index
      ? indexes.get(index)
      : /^(?:alter table (?=\S+ drop constraint)|drop trigger \S+_next_version" on )"?(\w+)/.exec(
          statement,
        )?.[1];
    return table !== undefined && tables.has(table);
  };
  return { up: statements, down: down.filter((statement) => !isOfNewTable(statement)) };
}
