import { Client } from 'pg';
import { DataSource } from 'typeorm';

import { dataSourceOptions } from '../../packages/core/src/database/data-source-options.js';
import { Database } from '../../packages/core/src/database/database.js';
import { Product } from '../../src/products/product.entity.js';
import { ProductsRepository } from '../../src/products/products.repository.js';
import { User } from '../../src/users/user.entity.js';
import { UsersRepository } from '../../src/users/users.repository.js';
import { createDatabase } from './databases.js';

/** Repositories on a database of their own, without a service. */
export interface Repositories {
  readonly database: Database;
  readonly dataSource: DataSource;
  readonly products: ProductsRepository;
  readonly users: UsersRepository;
  /** The connection of another client. */
  readonly other: Client;
  close(): Promise<void>;
}

export async function openRepositories(poolSize = 10): Promise<Repositories> {
  const own = await createDatabase();
  const options = dataSourceOptions(own.url, { poolSize, statementTimeoutMs: 5000 });
  const dataSource = new DataSource({ ...options, entities: [Product, User] });
  await dataSource.initialize();
  const other = new Client({ connectionString: own.url });
  await other.connect();
  const database = new Database(dataSource);
  const close = async (): Promise<void> => {
    await other.end();
    await dataSource.destroy();
    await own.drop();
  };
  return {
    database,
    dataSource,
    products: new ProductsRepository(database),
    users: new UsersRepository(database),
    other,
    close,
  };
}

/** How a promise ended: `done`, or the code of the error that a client would see. */
export const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (reason: unknown) => {
      const error = reason as { type?: { code: string }; message: string };
      return error.type?.code ?? error.message;
    },
  );

export function countsOf(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of outcomes) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
}
