import { EntityMetadata } from 'typeorm';

import { BatchLoader } from './batch-loader.js';
import { Connection } from './connection.js';
import { isRowError } from './database-error.js';
import { expressionIndexesOf } from './expression-index.js';
import { resultInTime } from './result-in-time.js';
import { Table } from './table.js';
import { insertAllStatement, insertStatement, Values } from './write-sql.js';

/** The most rows of one statement. */
const MAX_ROWS = 100;

/** A row to store. Wrapped, so that equal ones are two. */
interface Insert {
  readonly values: Values;
}

/** A row that is being stored. Wrapped, so that each caller waits for its own row and not for the rest of a batch. */
interface Inserting<Row> {
  readonly row: Promise<Row>;
}

type Numbered = object & { readonly id: number };

/**
 * Stores rows that are asked for at once by one statement: they share a round trip, the triggers of the statement, and
 * a commit. Each is stored when its promise resolves, as if it had been stored alone; the statement starts after each
 * of them was asked for.
 *
 * A row that PostgreSQL refuses does not harm the others of its batch: nothing of the batch is stored then, and each is
 * stored alone. So it is where rows could not be told apart: where a trigger skips some or changes their ids, or ids
 * count down. If the connection is lost, or PostgreSQL does not answer in time, all of the batch fail as each alone
 * would.
 */
export class BatchedInserts<Row extends Numbered> {
  private readonly inserts = new BatchLoader<Insert, Inserting<Row>>((inserts) => this.insertAll(inserts));

  /** @param table one whose inserts are independent: see `areInsertsIndependent` */
  constructor(
    private readonly table: Table,
    private readonly on: Pick<Connection, 'query'>,
  ) {}

  /** Stores a row; resolves with all of its columns as they are stored. @throws what its own statement throws */
  async insert(values: Values): Promise<Row> {
    const isAlone = this.hasArray(values) || Object.keys(values).length === 0;
    if (isAlone) return this.insertAlone(values);
    const { row } = (await this.inserts.load({ values })) as Inserting<Row>;
    return row;
  }

  /** Resolves when no further row has to wait for these. */
  private async insertAll(inserts: readonly Insert[]): Promise<Map<Insert, Inserting<Row>>> {
    const inserting = new Map<Insert, Inserting<Row>>();
    const batches = batchesOf(inserts).map((batch) => {
      const rows = this.insertBatch(batch);
      batch.forEach((insert, i) => {
        const row = rows.then((all) => all[i] as Promise<Row>);
        // Its caller hears of a failure once all batches have ended: until then it is not unhandled.
        row.catch(() => undefined);
        inserting.set(insert, { row });
      });
      return rows;
    });
    await resultInTime(Promise.allSettled(batches));
    return inserting;
  }

  private async insertBatch(batch: readonly Insert[]): Promise<Promise<Row>[]> {
    if (batch.length > 1) {
      try {
        const rows = await this.on.query<Row>(
          insertAllStatement(
            this.table,
            batch.map(({ values }) => values),
          ),
        );
        // No row at all where a trigger skips all of them: it may take each alone.
        if (rows.length > 0) return rows.map((row) => Promise.resolve(row));
      } catch (error) {
        if (!isRowError(error)) throw error;
      }
    }
    return batch.map(({ values }) => this.insertAlone(values));
  }

  /** Whether a value is an array, as of `simple-array`, that in an array of values would be taken for several. */
  private hasArray(values: Values): boolean {
    return Object.entries(values).some(
      ([property, value]) => Array.isArray(value) && !this.table.column(property).type.startsWith('json'),
    );
  }

  private async insertAlone(values: Values): Promise<Row> {
    const [row] = await this.on.query<Row>(insertStatement(this.table, values));
    return row as Row;
  }
}

/** Rows with the same columns, as many as one statement stores. */
function batchesOf(inserts: readonly Insert[]): Insert[][] {
  const batches: Insert[][] = [];
  const open = new Map<string, Insert[]>();
  for (const insert of inserts) {
    const columns = Object.keys(insert.values).sort().join();
    let batch = open.get(columns);
    if (!batch || batch.length === MAX_ROWS) {
      open.set(columns, (batch = []));
      batches.push(batch);
    }
    batch.push(insert);
  }
  return batches;
}

/**
 * Whether inserts into a table wait for no other row, so that one cannot hold up, or fail for, the others of its batch:
 * nothing but the id is unique, and nothing refers to other rows. Ids are numbers that the database counts up, by which
 * the rows of a batch are told apart. Columns that are arrays have no place in the arrays of a batch.
 */
export function areInsertsIndependent(metadata: EntityMetadata): boolean {
  const { primaryColumns, columns, uniques, foreignKeys, exclusions, indices, target } = metadata;
  const [id, ...others] = primaryColumns;
  const isCounted =
    id !== undefined && (id.generatedIdentity !== undefined || id.generationStrategy === 'increment');
  const isFree = [uniques, foreignKeys, exclusions, others].every(({ length }) => length === 0);
  const expressions = expressionIndexesOf(target as object);
  const isPlain = (name: string): boolean =>
    expressions.some((index) => index.name === name && !index.unique);
  return (
    isCounted &&
    isFree &&
    indices.every(({ isUnique, synchronize, name }) => !isUnique && (synchronize || isPlain(name))) &&
    columns.every(({ isArray }) => !isArray)
  );
}
