import { Entity, Index } from 'typeorm';

import { ExpressionIndex } from '../../packages/core/src/database/expression-index.js';
import { Integer, Text } from '../../packages/core/src/fields/fields.js';
import { equals } from '../../packages/core/src/lists/filters.js';
import { defineList, ListDefinition } from '../../packages/core/src/lists/list-definition.js';
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

@Entity('scratch_parts')
class Part extends ResourceEntity {
  @Text({ max: 20 })
  material: string;

  @Integer({ nullable: true })
  size: number | null;
}

describe('migration:generate, for a list with totals', () => {
  const database = useChangingDatabase();

  const indexes = async (): Promise<readonly string[]> => {
    const list = defineList(Part, {
      name: 'parts',
      filters: { material: equals('material') },
      sorts: ['size'],
      totals: ['material'],
    });
    const { up } = await findChanges(await database.connect({ entities: [Part] }), [list]);
    return up.filter((statement) => / index .*_material_/.test(statement));
  };

  it('adds an index for each sort within the values of a total, once', async () => {
    expect(await indexes()).toEqual([
      'create index "scratch_parts_material_created_at" on "scratch_parts" ("material", "created_at", "id")',
      expect.stringMatching(
        /^create index "scratch_parts_material_size_asc" on "scratch_parts" \("material", /,
      ),
      expect.stringMatching(
        /^create index "scratch_parts_material_size_desc" on "scratch_parts" \("material", /,
      ),
    ]);
    expect(await indexes()).toEqual([]);
  });

  it('drops the totals of a list that switches their triggers off, and keeps its indexes', async () => {
    const find = async (list: ListDefinition) =>
      findChanges(await database.connect({ entities: [Part] }), [list]);
    const tables = () =>
      database.query(`select to_regclass('scratch_parts_totals') is not null as totals,
        (select count(*)::int from pg_trigger where tgname like 'scratch_parts_totals%') as triggers`);
    const counted = defineList(Part, {
      name: 'parts',
      filters: { material: equals('material') },
      totals: ['material'],
      totalsByTriggers: false,
    });
    const first = await find(counted);
    expect(first.up.join()).toContain('create index "scratch_parts_material_created_at"');
    expect(first.up.join()).not.toContain('_total');
    await find({ ...counted, totalsByTriggers: true });
    expect(await tables()).toEqual([{ totals: true, triggers: 4 }]);
    const off = await find(counted);
    expect(off.up.at(-1)).toMatch(/^drop table "scratch_parts_total_changes"/);
    expect(off.down).toContainEqual(expect.stringContaining('create table "scratch_parts_totals"'));
    expect(await tables()).toEqual([{ totals: false, triggers: 0 }]);
    expect((await find(counted)).up).toEqual([]);
  });

  it('accepts an index with the same keys under another name', async () => {
    await indexes();
    await database.query('drop index scratch_parts_material_created_at');
    await database.query('create index of_a_team on scratch_parts (material, created_at, id) include (size)');
    expect(await indexes()).toEqual([]);
  });
});

class Trip extends ResourceEntity {
  @Integer()
  companyId: number;

  @Integer()
  distance: number;
}

describe('migration:generate, for an index of an entity with the name of an index of a list', () => {
  const database = useChangingDatabase();

  /** Generates twice, and returns the statements of both, if the entity has another declaration. */
  const changes = async (declare: ClassDecorator): Promise<readonly string[]> => {
    @Entity('scratch_trips')
    @declare
    class DeclaredTrip extends Trip {}
    const list = defineList(DeclaredTrip, { name: 'trips', sorts: ['distance'] });
    const scoped = { ...list, scopes: [['companyId']] };
    const dataSource = await database.connect({ entities: [DeclaredTrip] });
    const parts = [await findChanges(dataSource, [scoped]), await findChanges(dataSource, [scoped])];
    return parts.flatMap(({ up }) => up);
  };

  const SCOPED = 'scratch_trips_company_id_distance';

  it.each([
    ['Index', SCOPED, Index(SCOPED, ['companyId', 'distance'])],
    ['Index', 'scratch_trips_distance', Index('scratch_trips_distance', ['distance'])],
    ['ExpressionIndex', SCOPED, ExpressionIndex(SCOPED, 'company_id, abs(distance)')],
    ['ExpressionIndex', 'scratch_trips_distance', ExpressionIndex('scratch_trips_distance', 'abs(distance)')],
  ])('refuses @%s() with the name %s', async (decorator, name, declare) => {
    const declaration = `@${decorator}('${name}')`;
    const message = `${declaration} of DeclaredTrip has the name of another index, which the list trips needs: create index "${name}"`;
    const changed = changes(declare);
    await expect(changed).rejects.toThrow(message);
    await expect(changed).rejects.toThrow(`Remove the ${declaration}, or give it another name`);
  });

  it.each([
    ['has the same keys', Index(SCOPED, ['companyId', 'distance', 'id'])],
    ['has another name', Index('scratch_trips_of_companies', ['companyId', 'distance'])],
  ])('accepts an index that %s', async (_, declare) => {
    const statements = await changes(declare);
    expect(statements.filter((statement) => statement.includes(`"${SCOPED}"`))).toHaveLength(1);
    expect(statements.filter((statement) => /drop index/i.test(statement))).toEqual([]);
  });
});
