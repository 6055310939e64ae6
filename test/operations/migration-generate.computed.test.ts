import { Entity } from 'typeorm';

import { Integer } from '../../packages/core/src/fields/fields.js';
import { ResourceEntity } from '../../packages/core/src/resources/resource.entity.js';
import { changesOf } from '../../packages/dev/src/migrations/changes.js';
import { unfollowedTables } from '../../packages/dev/src/migrations/triggers.js';
import { useChangingDatabase } from '../support/changing-database.js';

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
  const database = useChangingDatabase();

  it('tells of a table until a trigger of it updates the one of the row', async () => {
    const dataSource = await database.connect({ entities: [Shelf, Book] });
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
