import { Column, Entity } from 'typeorm';

import { EVERYTHING } from '../../packages/core/src/access/access-scope.js';
import { PRODUCT_NOT_FOUND } from '../../src/products/product.errors.js';
import { ResourceEntity } from '../../packages/core/src/resources/resource.entity.js';
import { ResourceRepository } from '../../packages/core/src/resources/resource-repository.js';
import { createDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
@Entity('lamps')
class Lamp extends ResourceEntity {
  @Column({ type: 'integer', nullable: true }) a: number | null;
  @Column({ type: 'integer', nullable: true }) b: number | null;
  @Column({ type: 'integer', nullable: true }) c: number | null;
  @Column({ type: 'integer', nullable: true }) d: number | null;
  @Column({ type: 'integer', nullable: true }) e: number | null;
  @Column({ type: 'integer', nullable: true }) f: number | null;
  @Column({ type: 'integer', nullable: true }) g: number | null;
  @Column({ type: 'integer', nullable: true }) h: number | null;
}

/** How many texts of INSERT and UPDATE statements of a table are prepared (see `PreparedTexts`). */
const MAX_WRITES = 16;

type Written = Partial<Pick<Lamp, (typeof FIELDS)[number]>>;

/** Every non-empty set of fields, each with a value of its own. */
const SUBSETS = Array.from({ length: 2 ** FIELDS.length - 1 }, (_, i): Written => {
  const given = FIELDS.filter((_field, bit) => (i + 1) & (1 << bit));
  return Object.fromEntries(given.map((field) => [field, i]));
});

describe('the prepared statements of a connection', () => {
  let open: OpenDatabase;
  let drop: () => Promise<void>;
  let lamps: ResourceRepository<Lamp>;

  beforeEach(async () => {
    const own = await createDatabase();
    ({ drop } = own);
    open = await openDatabase(own.url, { poolSize: 1 }, [Lamp]);
    await open.dataSource.synchronize();
    lamps = new ResourceRepository(open.database, { entity: Lamp, notFound: PRODUCT_NOT_FOUND });
  });
  afterEach(async () => {
    await open.close();
    await drop();
  });

  const prepared = async (part = ''): Promise<number> => {
    const text =
      'select count(*)::int as n from pg_prepared_statements where strpos(statement, $1) > 0 or $1 = $2';
    const [row] = await open.database.query<{ n: number }>({ text, values: [part, ''] });
    return row!.n;
  };

  it('include a limited number of updates, whose fields the client selects, and every update is stored', async () => {
    const { id } = await lamps.insert({});
    let expected: Written = {};
    for (const [i, changes] of SUBSETS.entries()) {
      expected = { ...expected, ...changes };
      expect(await lamps.update(id, changes, EVERYTHING)).toMatchObject({ ...expected, version: i + 2 });
    }
    // The first text is that of the insert.
    expect(await prepared('update "lamps"')).toBe(MAX_WRITES - 1);
    expect(await lamps.find(id, EVERYTHING)).toMatchObject(expected);
  });

  it('include a limited number of inserts, whose fields the client selects, and every insert is stored', async () => {
    const rows: Lamp[] = [];
    for (const values of SUBSETS) rows.push(await lamps.insert(values));
    expect(rows).toEqual(SUBSETS.map((values) => expect.objectContaining(values)));
    expect(await prepared('insert into')).toBe(MAX_WRITES);
  });

  it('include no update within a scope', async () => {
    const { id } = await lamps.insert({ a: 7 });
    const anyOf = [[{ property: 'a', ids: [7] }]];
    await lamps.update(id, { b: 1 }, { ...EVERYTHING, anyOf, readable: anyOf });
    expect(await prepared('update "lamps"')).toBe(0);
  });

  it('include locks and deletions by id without a scope', async () => {
    const [row, gone] = [await lamps.insert({ a: 7 }), await lamps.insert({})];
    await open.database.transaction((tx) => lamps.lock(row.id, EVERYTHING, tx));
    await lamps.remove(gone.id, EVERYTHING);
    expect([await prepared('for update'), await prepared('delete from')]).toEqual([1, 1]);
    for (let count = 1; count <= 5; count++) {
      const anyOf = Array.from({ length: count }, () => [{ property: 'a', ids: [7] }]);
      const scope = { ...EVERYTHING, anyOf, readable: anyOf };
      expect(await open.database.transaction((tx) => lamps.lock(row.id, scope, tx))).toMatchObject({
        id: row.id,
      });
    }
    expect(await prepared('for update')).toBe(1);
  });
});
