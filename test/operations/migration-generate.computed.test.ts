import { DataSource, Entity } from 'typeorm';

import { dataSourceOptions } from '../../packages/core/src/database/data-source-options.js';
import { Integer } from '../../packages/core/src/fields/fields.js';
import { ResourceEntity } from '../../packages/core/src/resources/resource.entity.js';
import { changesOf } from '../../packages/dev/src/migrations/changes.js';
import { EntityClass } from '../../packages/dev/src/migrations/scratch.js';
import { unfollowedTables } from '../../packages/dev/src/migrations/triggers.js';
import { createDatabase, TestDatabase } from '../support/databases.js';

@Entity('scratch_shelves')
class Shelf extends ResourceEntity {
  @Integer({ computed: ({ id }) => `select count(*) from scratch_books b where b.shelf_id = ${id!}` })
  bookCount: number;

  @Integer({ computed: ({ id }) => `length(${id!}::text)` })
  digits: number;
}

@Entity('scratch_books')
class Book extends ResourceEntity {
  @Integer()
  shelfId: number;
}

describe('migration:generate, for a computed field that reads another table', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function connect(...entities: EntityClass[]): Promise<void> {
    const options = dataSourceOptions(database.url, { poolSize: 2, statementTimeoutMs: 30_000 });
    dataSource = await new DataSource({ ...options, entities }).initialize();
  }

  it('tells of a table until a trigger of it updates the one of the row', async () => {
    await connect(Shelf, Book);
    await changesOf(dataSource, []);
    expect(await unfollowedTables(dataSource)).toEqual([
      { table: 'scratch_books', parent: 'scratch_shelves' },
    ]);
    await database.query(`
      create function follow() returns trigger language plpgsql as $$ begin
        update scratch_shelves set version = version where id in (new.shelf_id, old.shelf_id); return null; end $$;
      create trigger follow after insert or update or delete on scratch_books for each row execute function follow()`);
    expect(await unfollowedTables(dataSource)).toEqual([]);
  });
});
