import {
  anyOf,
  atLeast,
  contains,
  defineList,
  integer,
  Integer,
  Json,
  ResourceEntity,
  Text,
  TextArray,
  where,
} from '@plinth/core';
import { DataSource, Entity } from 'typeorm';

import { findLists } from '../../packages/dev/src/cli/explain.js';
import { explainList } from '../../packages/dev/src/lists/list-costs.js';
import { findChanges } from '../../packages/dev/src/migrations/changes.js';
import { useChangingDatabase } from '../support/changing-database.js';

const ROWS = 2_000;
/** A parameter with one value. */
const ONE = integer({ min: 1, max: 1 });

@Entity('scratch_notes')
class Note extends ResourceEntity {
  @Text({ max: 50 })
  author: string;

  @Integer({ nullable: true })
  size: number | null;

  /** Expensive to compute, and without an index: to sort by it, PostgreSQL computes it for every row. */
  @Integer({ computed: ({ author = '' }) => `length(repeat(${author}, 100))` })
  weight: number;
}

class Maker {
  @Text({ max: 20 })
  name: string;
}

@Entity('scratch_cards')
class Card extends ResourceEntity {
  @TextArray({ maxItems: 3, max: 20 })
  tags: string[];

  @Json({ type: Maker })
  maker: Maker;
}

const note = {
  name: 'notes',
  filters: { author: anyOf('author'), minSize: atLeast('size') },
  sorts: ['size', 'weight'],
  unindexed: ['weight'],
} as const;

describe('plinth explain', () => {
  const database = useChangingDatabase();
  let dataSource: DataSource;

  const explain = (
    list: ReturnType<typeof defineList>,
    {
      fixed = [],
      top = 10_000,
      timeoutMs = 10_000,
      entity = Note,
    }: { fixed?: string[]; top?: number; timeoutMs?: number; entity?: new () => object } = {},
  ): Promise<string[]> => {
    const { url } = dataSource.options as unknown as { readonly url: string };
    const metadata = dataSource.getMetadata(entity);
    return explainList(url, [{ list, fixed }], metadata, { top, timeoutMs });
  };

  /** Adds rows: 60 % of one author, and three of another. */
  const addRows = async (): Promise<void> => {
    await database.query(`
      insert into scratch_notes (author, size)
      select case when n % 5 < 3 then 'everybody' when n <= 8 then 'trio' else 'author ' || n % 50 end, n % 1000
      from generate_series(1, ${ROWS}) as n`);
    await database.query('vacuum (analyze) scratch_notes');
  };

  beforeEach(async () => {
    dataSource = await database.connect({ entities: [Note] });
  });

  it('prints the most expensive query first, with its time, buffers, rows and plan', async () => {
    const list = defineList(Note, note);
    await findChanges(dataSource, [list]);
    await addRows();
    const [first = '', ...others] = await explain(list, { top: 3 });
    const [query, cost, ...plan] = first.split('\n');
    expect(query).toMatch(
      /^\?(author=everybody&|minSize=\d+&|created(From|Before)=[^&]+&)?sort=weight:(asc|desc) /,
    );
    expect(cost).toMatch(/^ {2}\d+\.\d ms, \d+ buffers, \d+ rows read(, by the plan for all values)?$/);
    expect(Number(/(\d+) rows read/.exec(cost ?? '')?.[1])).toBeGreaterThanOrEqual(0.6 * ROWS);
    expect(plan.length).toBeGreaterThanOrEqual(2);
    expect(plan.length).toBeLessThanOrEqual(6);
    expect(plan.join('\n')).toMatch(/ on scratch_notes \(\d+ rows\)/);
    expect(others).toHaveLength(2);
  });

  it('takes common, rare and absent values from the current rows, and every position of a page', async () => {
    const list = defineList(Note, { ...note, sorts: ['size'], unindexed: [] });
    await findChanges(dataSource, [list]);
    await addRows();
    const queries = (await explain(list)).map((one) => one.split('\n', 1)[0] ?? '');
    const ofAuthors = queries.filter((query) => query.startsWith('?author='));
    const authors = [...new Set(ofAuthors.map((query) => /=([^&]*)/.exec(query)?.[1] ?? ''))];
    const counts = await Promise.all(
      authors.map(async (author) => {
        const text = 'select count(*)::int as n from scratch_notes where author = $1';
        const [row] = await database.query<{ n: number }>(text, [author.replaceAll('+', ' ')]);
        return row?.n ?? 0;
      }),
    );
    expect(Math.max(...counts)).toBe(0.6 * ROWS);
    expect(counts).toContain(0);
    expect(counts.some((count) => count > 0 && count <= ROWS / 50)).toBe(true);
    const positions = queries.filter((query) => query.startsWith('?author=everybody&sort=size:asc '));
    expect(positions.map((query) => query.replace(/^\S+ /, '')).sort()).toEqual([
      'first page by cursor',
      'last page',
      'middle page by cursor',
      'page 1',
      'page in the middle',
    ]);
  });

  it('takes the items of arrays and the members of JSON from the current rows', async () => {
    dataSource = await database.connect({ entities: [Card] });
    const list = defineList(Card, {
      name: 'cards',
      filters: { tag: contains('tags'), maker: contains('maker', 'name') },
    });
    await findChanges(dataSource, [list]);
    await database.query(`
      insert into scratch_cards (tags, maker)
      select array['tag ' || n % 3, 'say "hi"'], jsonb_build_object('name', 'maker ' || n % 2)
      from generate_series(1, 600) as n`);
    await database.query('analyze scratch_cards');
    const queries = (await explain(list, { entity: Card })).map((one) => one.split(/[&\n]/, 1)[0] ?? '');
    expect([...new Set(queries)].filter((query) => /^.(tag|maker)=/.test(query)).sort()).toEqual([
      '?maker=maker+0',
      '?maker=maker+1',
      expect.stringMatching(/^\?maker=word-/),
      '?tag=say+"hi"',
      expect.stringMatching(/^\?tag=tag\+[012]$/),
      expect.stringMatching(/^\?tag=word-/),
    ]);
  });

  it('takes the values of properties that a route fixes from the rows, and names them', async () => {
    const list = defineList(Note, { ...note, sorts: ['size'], unindexed: [] });
    await findChanges(dataSource, [list]);
    await addRows();
    const queries = (await explain(list, { fixed: ['author'] })).map((one) => one.split('\n', 1)[0] ?? '');
    expect(queries.every((query) => / author .+, /.test(query) && !query.includes('author='))).toBe(true);
    expect(queries).toContain('?sort=size:asc author everybody, page 1');
  });

  it('puts queries that PostgreSQL cancels at the top, with their plan', async () => {
    const list = defineList(Note, {
      ...note,
      filters: {
        slow: where(ONE, (value) => `pg_sleep(0.001) is not null and ${value} = 1`, {
          description: 'Waits for each row.',
        }),
      },
      sorts: [],
      unindexed: ['slow'],
    });
    await findChanges(dataSource, [list]);
    await addRows();
    const [first = ''] = await explain(list, { top: 1, timeoutMs: 200 });
    expect(first).toMatch(
      /^\?slow=\S+ .*\n {2}cancelled after 200 ms(, by the plan for all values)?\n {4}\w+/,
    );
  });

  it('fails if a query would write', async () => {
    await database.query('create sequence scratch_counter');
    const list = defineList(Note, {
      ...note,
      filters: {
        counted: where(ONE, (value) => `nextval('scratch_counter') > ${value}`, {
          description: 'Counts the rows that it sees.',
        }),
      },
      sorts: [],
      unindexed: ['counted'],
    });
    await findChanges(dataSource, [list]);
    await addRows();
    await expect(explain(list)).rejects.toThrow('cannot execute nextval() in a read-only transaction');
  });

  it('says what to do if the table has no statistics', async () => {
    const list = defineList(Note, note);
    await findChanges(dataSource, [list]);
    await expect(explain(list)).rejects.toThrow(
      'The table scratch_notes has no statistics: add rows, then run "analyze scratch_notes".',
    );
  });

  it('names the lists that there are if a list is unknown', () => {
    const served = ['users', 'notes'].map((name) => ({
      list: defineList(Note, { ...note, name }),
      fixed: [],
    }));
    expect(() => findLists('products', served)).toThrow('Unknown list products: the lists are notes, users.');
    expect(findLists('notes', served).map(({ list }) => list.name)).toEqual(['notes']);
  });
});
