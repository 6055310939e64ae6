import { BatchLoader } from './batch-loader.js';
import { Statement, statementName } from './connection.js';
import { Reader } from './replicas/replica.js';
import { isAnyOf, Table } from './table.js';

type Id = number | string;
type Values = readonly unknown[];

/** Reads rows of a table by their ids. Look-ups that reach one server at the same time become one statement. */
export class RowReader<Row extends object> {
  private readonly statement: Omit<Statement, 'values'>;
  private readonly loaders = new Map<Reader, BatchLoader<Id, Values>>();
  private readonly idAt: number;

  constructor(private readonly table: Table) {
    const { whole, name, condition } = table;
    const ids = isAnyOf('"id"', '$1', table.column('id').type);
    const text = `select ${whole.sql} from ${name} where ${ids}${condition ? ` and ${condition}` : ''}`;
    this.statement = { text, name: statementName(text), read: (values) => values };
    this.idAt = whole.properties.indexOf('id');
  }

  /** The row of an id; `undefined` if there is none. Each caller gets an object of its own. */
  async find(id: Id, on: Reader): Promise<Row | undefined> {
    const values = await this.loaderOf(on).load(id);
    return values && (this.table.whole.read(values) as Row);
  }

  /** The row of an id, read by a statement of its own, as in a transaction. */
  async findAlone(id: Id, on: Reader): Promise<Row | undefined> {
    const [values] = await on.query<Values>({ ...this.statement, values: [[id]] });
    return values && (this.table.whole.read(values) as Row);
  }

  private loaderOf(on: Reader): BatchLoader<Id, Values> {
    let loader = this.loaders.get(on);
    if (!loader) this.loaders.set(on, (loader = new BatchLoader((ids) => this.readAll(ids, on))));
    return loader;
  }

  private async readAll(ids: readonly Id[], on: Reader): Promise<Map<Id, Values>> {
    const rows = await on.query<Values>({ ...this.statement, values: [ids] });
    const { read } = this.table.column('id');
    const idOf = (values: Values): Id => {
      const id = values[this.idAt];
      return (read ? read(id as string) : id) as Id;
    };
    return new Map(rows.map((values) => [idOf(values), values]));
  }
}
