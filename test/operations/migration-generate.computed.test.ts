import { DataSource, Entity, ForeignKey } from 'typeorm';

import { dataSourceOptions } from '../../src/core/database/data-source-options.js';
import {
  createParentVersionTriggers,
  dropParentVersionTriggers,
} from '../../src/core/database/version-trigger.js';
import { Integer } from '../../src/core/fields/fields.js';
import { ResourceEntity } from '../../src/core/resources/resource.entity.js';
import { changesOf } from '../../tools/migrations/changes.js';
import { EntityClass } from '../../tools/migrations/scratch.js';
import { unfollowedTables } from '../../tools/migrations/triggers.js';
import { createDatabase, TestDatabase } from '../support/databases.js';

const REFERENCE = { table: 'scratch_books', column: 'shelf_id', parent: 'scratch_shelves' };

@Entity('scratch_shelves')
class Shelf extends ResourceEntity {
  @Integer({ computed: ({ id }) => `select count(*) from scratch_books b where b.shelf_id = ${id!}` })
  bookCount: number;

  @Integer({ computed: ({ id }) => `length(${id!}::text)` })
  digits: number;
}

@Entity('scratch_books')
class ShelvedBook extends ResourceEntity {
  @Integer()
  @ForeignKey(() => Shelf, { onDelete: 'CASCADE' })
  shelfId: number;
}

@Entity('scratch_books')
class LooseBook extends ResourceEntity {
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

  it('makes the triggers by which the row follows, once', async () => {
    await connect(Shelf, ShelvedBook);
    const { up, down } = await changesOf(dataSource, []);
    expect(up.slice(-6)).toEqual(createParentVersionTriggers(REFERENCE));
    expect(down.slice(0, 6)).toEqual(dropParentVersionTriggers(REFERENCE));
    expect(await unfollowedTables(dataSource)).toEqual([]);
    expect(await changesOf(dataSource, [])).toEqual({ up: [], down: [] });
  });

  it('tells of a table that does not name the row, until a trigger of it updates the other', async () => {
    await connect(Shelf, LooseBook);
    const { up } = await changesOf(dataSource, []);
    expect(up.join('\n')).not.toContain('_next_version_insert');
    const unfollowed = [{ table: 'scratch_books', parent: 'scratch_shelves' }];
    expect(await unfollowedTables(dataSource)).toEqual(unfollowed);
    for (const statement of createParentVersionTriggers(REFERENCE)) await database.query(statement);
    expect(await unfollowedTables(dataSource)).toEqual([]);
  });
});
