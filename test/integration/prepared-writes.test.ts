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

type Written = Partial<Pick<Lamp, (typeof FIELDS)[number]>>;

/** Every set of fields but the empty one, with values of its own. */
const SUBSETS = Array.from({ length: 2 ** FIELDS.length - 1 }, (_, i): Written => {
  const given = FIELDS.filter((_field, bit) => (i + 1) & (1 << bit));
  return Object.fromEntries(given.map((field) => [field, i]));
});

describe('a connection keeps no statement prepared whose text clients decide on', () => {
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

  it('whatever sets of fields are changed, and every change is stored', async () => {
    const { id } = await lamps.insert({});
    let expected: Written = {};
    for (const [i, changes] of SUBSETS.entries()) {
      expected = { ...expected, ...changes };
      expect(await lamps.update(id, changes, EVERYTHING)).toMatchObject({ ...expected, version: i + 2 });
    }
    expect(await prepared()).toBe(0);
    expect(await lamps.find(id, EVERYTHING)).toMatchObject(expected);
    expect(await prepared()).toBe(1);
  });

  it('whatever sets of fields are inserted, and every row is stored', async () => {
    const rows: Lamp[] = [];
    for (const values of SUBSETS) rows.push(await lamps.insert(values));
    expect(rows).toEqual(SUBSETS.map((values) => expect.objectContaining(values)));
    expect(await prepared()).toBe(0);
  });

  it('but locks and removals by id, outside scopes', async () => {
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
