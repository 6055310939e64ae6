import { Client } from 'pg';

import { Statement } from '../../src/core/database/connection.js';
import { TotalsFolder } from '../../src/core/database/totals-folder.js';

/**
 * A `TotalsFolder` that has one connection alone.
 *
 * @param afterStatement what is done after each statement of its transactions
 */
export function folderOn(
  client: Client,
  afterStatement: () => Promise<unknown> = () => Promise.resolve(),
): TotalsFolder {
  const query = async <Row extends object>({ text, values }: Statement): Promise<Row[]> =>
    (await client.query<Row>(text, values as unknown[])).rows;
  const transaction = async <T>(work: (on: { query: typeof query }) => Promise<T>): Promise<T> => {
    const followed = async <Row extends object>(statement: Statement): Promise<Row[]> => {
      const rows = await query<Row>(statement);
      await afterStatement();
      return rows;
    };
    await client.query('begin');
    try {
      const result = await work({ query: followed });
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  };
  return new TotalsFolder({ query, transaction });
}
