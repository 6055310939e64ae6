import { prepared, QueryExecutor, Statement } from './sql-executor.js';
import { equalsAnySql, EntityTable } from './entity-table.js';
import { BatchLoader } from './batch-loader.js';
import { findStatement, RowKey } from './write-sql.js';

type RowId = RowKey['id'];

/** The key of a row: its id, or its id together with values that other columns must have. */
export type ReadKey = RowId | RowKey;

/** Reads rows of a table by key. Look-ups that arrive at the same time for the same server share a statement. */
export class RowReader<Row extends { readonly id: RowId }> {
  private readonly statement: Statement;
  private readonly loaders = new Map<QueryExecutor, BatchLoader<ReadKey, Row>>();

  constructor(private readonly table: EntityTable) {
    const { selectAll, name } = table;
    const ids = equalsAnySql('"id"', '$1', table.column('id').type);
    this.statement = prepared(`select ${selectAll} from ${name} where ${ids}`, []);
  }

  /**
   * Returns the row of a key, or `undefined`. A look-up that shares its statement finds the row by its id only, so the
   * caller must compare the other values. Each caller gets its own object.
   */
  async find(key: ReadKey, db: QueryExecutor): Promise<Row | undefined> {
    let loader = this.loaders.get(db);
    if (!loader) {
      loader = new BatchLoader((keys) => this.readAll(keys, db));
      this.loaders.set(db, loader);
    }
    const row = await loader.load(key);
    return row && { ...row };
  }

  /**
   * Reads a row with a separate statement. Use it in a transaction, because a shared statement runs on another
   * connection.
   */
  async findUnbatched(key: ReadKey, db: QueryExecutor): Promise<Row | undefined> {
    const [row] = await db.query<Row>(this.statementFor([key]));
    return row;
  }

  private async readAll(keys: readonly ReadKey[], db: QueryExecutor): Promise<Map<ReadKey, Row>> {
    const rows = await db.query<Row>(this.statementFor(keys));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return new Map(keys.flatMap((key) => toEntry(key, byId.get(idFromKey(key)))));
  }

  /** A statement for one key names all of its values: a distributed table then looks on one server only. */
  private statementFor(keys: readonly ReadKey[]): Statement {
    const [key] = keys;
    if (keys.length === 1 && typeof key === 'object' && Object.keys(key).length > 1)
      return findStatement(this.table, key);
    return { ...this.statement, values: [keys.map(idFromKey)] };
  }
}

const idFromKey = (key: ReadKey): RowId => (typeof key === 'object' ? key.id : key);

const toEntry = <Row>(key: ReadKey, row: Row | undefined): [ReadKey, Row][] => (row ? [[key, row]] : []);
