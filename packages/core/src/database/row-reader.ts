import { prepared, QueryExecutor, Statement } from './sql-executor.js';
import { equalsAnySql, EntityTable } from './entity-table.js';
import { BatchLoader } from './batch-loader.js';

type RowId = number | string;

/** Reads rows of a table by id. Look-ups that arrive at the same time for the same server share a statement. */
export class RowReader<Row extends { readonly id: RowId }> {
  private readonly statement: Statement;
  private readonly loaders = new Map<QueryExecutor, BatchLoader<RowId, Row>>();

  constructor(table: EntityTable) {
    const { selectAll, name } = table;
    const ids = equalsAnySql('"id"', '$1', table.column('id').type);
    this.statement = prepared(`select ${selectAll} from ${name} where ${ids}`, []);
  }

  /** Returns the row of an id, or `undefined`. Each caller gets its own object. */
  async find(id: RowId, db: QueryExecutor): Promise<Row | undefined> {
    let loader = this.loaders.get(db);
    if (!loader) {
      loader = new BatchLoader(async (ids) => {
        const rows = await this.readAll(ids, db);
        return new Map(rows.map((row) => [row.id, row]));
      });
      this.loaders.set(db, loader);
    }
    const row = await loader.load(id);
    return row && { ...row };
  }

  /**
   * Reads a row with a separate statement. Use it in a transaction, because a shared statement runs on another
   * connection.
   */
  async findUnbatched(id: RowId, db: QueryExecutor): Promise<Row | undefined> {
    return (await this.readAll([id], db))[0];
  }

  private readAll(ids: readonly RowId[], db: QueryExecutor): Promise<Row[]> {
    return db.query<Row>({ ...this.statement, values: [ids] });
  }
}
