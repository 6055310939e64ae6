import { BatchLoader } from './batch-loader.js';
import { Reader, Statement, statementName } from './connection.js';
import { isAnyOf, Table } from './table.js';

type Id = number | string;

/** Reads rows of a table by their ids. Look-ups that reach one server at the same time become one statement. */
export class RowReader<Row extends { readonly id: Id }> {
  private readonly statement: Omit<Statement, 'values'>;
  private readonly loaders = new Map<Reader, BatchLoader<Id, Row>>();

  constructor(table: Table) {
    const { whole, name } = table;
    const ids = isAnyOf('"id"', '$1', table.column('id').type);
    const text = `select ${whole} from ${name} where ${ids}`;
    this.statement = { text, name: statementName(text) };
  }

  /** The row of an id; `undefined` if there is none. Each caller gets an object of its own. */
  async find(id: Id, on: Reader): Promise<Row | undefined> {
    let loader = this.loaders.get(on);
    if (!loader) {
      loader = new BatchLoader(async (ids) => {
        const rows = await this.readAll(ids, on);
        return new Map(rows.map((row) => [row.id, row]));
      });
      this.loaders.set(on, loader);
    }
    const row = await loader.load(id);
    return row && { ...row };
  }

  async findAlone(id: Id, on: Reader): Promise<Row | undefined> {
    return (await this.readAll([id], on))[0];
  }

  private readAll(ids: readonly Id[], on: Reader): Promise<Row[]> {
    return on.query<Row>({ ...this.statement, values: [ids] });
  }
}
