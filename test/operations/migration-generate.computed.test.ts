import { Entity } from 'typeorm';

import { Integer, Text } from '../../packages/core/src/fields/fields.js';
import { defineList } from '../../packages/core/src/lists/list-definition.js';
import { ResourceEntity } from '../../packages/core/src/resources/resource.entity.js';
import { findChanges } from '../../packages/dev/src/migrations/changes.js';
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

  it('reports the other table until it has a trigger that updates the row', async () => {
    const dataSource = await database.connect({ entities: [Shelf, Book] });
    await findChanges(dataSource, []);
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

@Entity('scratch_notes')
class Note extends ResourceEntity {
  @Text({ max: 40 })
  title: string;
}

@Entity('scratch_notes')
class SignedNote extends Note {
  @Text({ max: 40, nullable: true })
  author: string | null;
}

describe('migration:generate, for a list with a search', () => {
  const database = useChangingDatabase();

  const changes = async (
    entity: typeof Note,
  ): Promise<{ up: readonly string[]; down: readonly string[] }> => {
    const list = defineList(entity, { name: 'notes', filters: {}, sorts: [], search: { title: 'A' } });
    const lists = [list, { ...list, name: 'notes-of-authors' }];
    return findChanges(await database.connect({ entities: [entity] }), lists);
  };

  it('adds a field and keeps the search column, which no entity declares', async () => {
    const { up } = await changes(Note);
    expect(up.filter((statement) => statement.includes('add column "search"'))).toHaveLength(1);
    expect(await changes(SignedNote)).toEqual({
      up: ['ALTER TABLE "scratch_notes" ADD "author" character varying(40)'],
      down: ['ALTER TABLE "scratch_notes" DROP COLUMN "author"'],
    });
    expect(await changes(SignedNote)).toEqual({ up: [], down: [] });
  });
});
