import { UsageError } from '../usage-error.js';
import { readResourceSpec, ResourceSpec } from './resource-spec.js';

const read = (...args: string[]): ResourceSpec => readResourceSpec(['resource', ...args], ['1', '2'])!;

describe('the command line of npm run generate', () => {
  it('reads a resource with its fields, parent, owner and versions', () => {
    const spec = read(
      'order-notes',
      'title:text(200)!',
      'inStock:boolean',
      'dueOn:date?',
      '--parent',
      'products',
      '--owner',
      'user',
      '--versions',
      '2',
      '--dry-run',
    );
    expect(spec).toMatchObject({
      names: {
        plural: 'order-notes',
        singular: 'order-note',
        entity: 'OrderNote',
        collection: 'OrderNotes',
        code: 'ORDER_NOTE',
        constant: 'ORDER_NOTES',
        table: 'order_notes',
        words: 'order notes',
      },
      parent: 'products',
      isOwned: true,
      versions: ['2'],
      isDryRun: true,
    });
    expect(spec.fields.map(({ column, isNullable, isUnique }) => [column, isNullable, isUnique])).toEqual([
      ['title', false, true],
      ['in_stock', false, false],
      ['due_on', true, false],
    ]);
  });

  it('serves a resource in all versions unless it says which', () => {
    expect(read('brands', 'name:text(20)').versions).toEqual(['1', '2']);
  });

  it('only shows help where it is asked for', () => {
    expect(readResourceSpec(['--help'], ['1'])).toBeNull();
  });

  it.each([
    [['Brands', 'name:text(2)'], 'Brands: takes words of lower-case letters'],
    [['brand', 'name:text(2)'], 'brand: takes a plural'],
    [['status', 'name:text(2)'], 'status: takes a plural'],
    [['news', 'name:text(2)'], 'news: takes a plural, such as brands; where it is one, --singular says'],
    [['data', 'name:text(2)'], 'data: takes a plural'],
    [['series', 'name:text(2)'], 'series: takes a plural'],
    [['news', 'name:text(2)', '--singular', 'news'], '--singular takes what one of them is called'],
    [['news', 'name:text(2)', '--singular', 'News'], '--singular takes what one of them is called'],
    [['windows', 'name:text(2)', '--singular', 'map'], 'Map is the name of something else'],
    [['timestamps', 'name:text(2)'], 'Timestamp is the name of something else'],
    [['classes-news', 'name:text(2)'], 'takes a plural'],
    [['dates', 'name:text(2)'], 'Date is the name of something else'],
    [['modules', 'name:text(2)'], 'Module is the name of something else'],
    [['brands'], 'fields: takes at least one'],
    [['brands', 'name'], 'name: takes name:type'],
    [['brands', 'name:text'], 'name:text: takes text(200)'],
    [['brands', 'name:text(0)'], 'takes a length from 1'],
    [['brands', 'name:texts(9)'], 'there is no type texts; the types are text(200)'],
    [['brands', 'name:money(2)'], 'money takes nothing in parentheses'],
    [['brands', 'name:decimal(2,3)'], 'no more decimals'],
    [['brands', 'name:integer(5..1)'], 'takes a range'],
    [['brands', 'name:choice(a|a)'], 'has a word twice'],
    [['brands', 'name:choice(a)'], 'takes choice(new|used)'],
    [['brands', 'name:text(9)??'], 'once each'],
    [['brands', 'isNew:boolean!'], 'cannot be unique'],
    [['brands', 'kind:choice(a|b)!'], 'cannot be unique'],
    [['brands', 'a:date', '--parent', 'users'], '--parent users: takes --owner user'],
    [['brands', 'Name:text(9)'], 'takes a name such as inStock'],
    [['brands', 'id:integer'], 'every resource'],
    [['brands', 'createdAt:timestamp'], 'every resource'],
    [['brands', 'sort:text(9)'], 'every list'],
    [['brands', 'class:text(9)'], 'TypeScript'],
    [['brands', 'constructor:text(9)'], 'TypeScript'],
    [['brands', 'a:date', 'a:date'], 'a: is there twice'],
    [['brands', 'aB:date', 'aB:money'], 'a_b: is there twice'],
    [['brands', 'a:date', '--owner', 'admin'], '--owner admin: takes user, for only users create rows'],
    [['brands', 'userId:integer', '--owner', 'user'], 'userId: is the field of --owner'],
    [['brands', 'a:date', '--parent', 'brands'], '--parent: takes another resource'],
    [['brands', 'a:date', '--versions', '3'], '--versions 3: takes some of 1,2'],
    [['brands', 'a:date', '--versions', '1,1'], '--versions: each once'],
    [['brands', 'a:date', '--colour', 'red'], '--colour'],
  ])('refuses %j', (args, message) => {
    expect(() => read(...args)).toThrow(UsageError);
    expect(() => read(...args)).toThrow(message);
  });

  it('names all faults at once', () => {
    expect(() => read('brand', 'id:integer', 'x:y')).toThrow(/brand: .*\nid:integer: .*\nx:y: /s);
  });
});

describe('the names of a resource', () => {
  it.each([
    ['shelves', 'Shelf', 'SHELF'],
    ['warehouse-shelves', 'WarehouseShelf', 'WAREHOUSE_SHELF'],
    ['valves', 'Valve', 'VALVE'],
    ['categories', 'Category', 'CATEGORY'],
    ['movies', 'Movie', 'MOVIE'],
    ['analyses', 'Analysis', 'ANALYSIS'],
    ['databases', 'Database', 'DATABASE'],
    ['people', 'Person', 'PERSON'],
  ])('of %s are those of one %s', (plural, entity, code) => {
    expect(read(plural, 'name:text(20)').names).toMatchObject({ plural, entity, code });
  });

  it.each([
    ['news', 'news-item', 'NewsItem'],
    ['data', 'data-point', 'DataPoint'],
    ['series', 'tv-series', 'TvSeries'],
    ['events', 'calendar-event', 'CalendarEvent'],
  ])('of %s are those of --singular %s', (plural, singular, entity) => {
    const { names } = read(plural, 'name:text(20)', '--singular', singular);
    expect(names).toMatchObject({ plural, singular, entity, isIrregular: true });
  });
});
