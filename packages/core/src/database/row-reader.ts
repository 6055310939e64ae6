import { prepared, QueryExecutor, Statement } from './sql-executor.js';
import { equalsAnySql, EntityTable } from './entity-table.js';
import { BatchLoader } from './batch-loader.js';

type RowId = number | string;

/** Reads rows of a table by their ids. Look-ups that reach one server at the same time become one statement. */
export class RowReader<Row extends { readonly id: RowId }> {
  private readonly statement: Statement;
  private readonly loaders = new Map<QueryExecutor, BatchLoader<RowId, Row>>();

  constructor(table: EntityTable) {
    const { selectAll, name } = table;
    const ids = equalsAnySql('"id"', '$1', table.column('id').type);
    this.statement = prepared(`select ${selectAll} from ${name} where ${ids}`, []);
  }

  /** The row of an id; `undefined` if there is none. Each caller gets an object of its own. */
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

  async findUnbatched(id: RowId, on: QueryExecutor): Promise<Row | undefined> {
    return (await this.readAll([id], on))[0];
  }

  private readAll(ids: readonly RowId[], on: QueryExecutor): Promise<Row[]> {
    return on.query<Row>({ ...this.statement, values: [ids] });
  }
}
