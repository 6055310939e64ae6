import { cursors, errorOf, orders, read } from '../../test/products-query.js';
import { ParsedListQuery } from './list-query.js';

const asked = ({ conditions }: ParsedListQuery): unknown[] =>
  conditions.map(({ filter, value }) => [filter.name, value]);

const formatted = ({ sort }: ParsedListQuery): string =>
  sort.map(({ property, direction }) => `${property}:${direction}`).join(',');

describe('a list query', () => {
  test('returns the newest 20 rows without parameters', () => {
    const query = read('');
    expect(query).toMatchObject({
      conditions: [],
      limit: 20,
      position: { style: 'offset', page: 1 },
    });
    expect(formatted(query)).toBe('createdAt:desc,id:desc');
  });

  test('reads filters, sort, limit and page together', () => {
    const query = read(
      'category=desk+lamps&inStock=false&minPrice=1.5&maxPrice=20&status=new&makerId=7&stars=5&sort=price:asc,rating:desc&limit=5&page=3',
    );
    expect(asked(query)).toEqual([
      ['category', 'desk lamps'],
      ['inStock', false],
      ['minPrice', '1.5'],
      ['maxPrice', '20'],
      ['status', 'new'],
      ['makerId', 7],
      ['stars', 5],
    ]);
    expect(query).toMatchObject({ limit: 5, position: { style: 'offset', page: 3 } });
    expect(formatted(query)).toBe('price:asc,rating:desc,id:desc');
  });

  test.each([
    ['limit=1', 1],
    ['limit=100', 100],
    ['limit=101', 100],
    ['limit=99999999999999999999', 100],
    [`limit=${'9'.repeat(400)}`, 100],
  ])('reads %s as a limit of %i', (text, limit) => {
    expect(read(text).limit).toBe(limit);
  });

  test.each<[string, ParsedListQuery['position']]>([
    ['page=1', { style: 'offset', page: 1 }],
    ['page=1000000000000', { style: 'offset', page: 1_000_000_000_000 }],
    ['cursor=', { style: 'cursor', after: null }],
    ['cursor', { style: 'cursor', after: null }],
  ])('reads the position from %s', (text, position) => {
    expect(read(text).position).toEqual(position);
  });

  test.each([
    ['minPrice=5&maxPrice=5'],
    ['minPrice=0'],
    ['maxPrice=0'],
    ['minPrice=-0'],
    ['category='],
    ['stars=1'],
  ])('accepts %s', (text) => {
    expect(() => read(text)).not.toThrow();
  });

  test.each<[string, unknown]>([
    ['makerId=3', 3],
    ['makerId=3&makerId=20&makerId=3&makerId=1', [1, 20, 3]],
    ['makerId=3&makerId=03', 3],
    ['makerId=4&'.repeat(100), 4],
  ])('sorts the values of a filter and removes duplicates: %s', (text, value) => {
    expect(asked(read(text))).toEqual([['makerId', value]]);
  });

  test('reads an id beyond the range of ids as one that no row has', () => {
    expect(asked(read('makerId=9007199254740992'))).toEqual([['makerId', 0]]);
  });
});

describe('a list query that is not valid', () => {
  test.each<[string, string, string, ...string[]]>([
    ['an unknown parameter', 'colour=red', 'INVALID_QUERY', 'colour UNKNOWN_FIELD'],
    ['a parameter without a name', '=1', 'INVALID_QUERY', ' UNKNOWN_FIELD'],
    ['__proto__', '__proto__=1', 'INVALID_QUERY', '__proto__ UNKNOWN_FIELD'],
    ['a repeated parameter', 'page=1&page=2', 'INVALID_QUERY', 'page REPEATED'],
    ['a parameter repeated in escapes', 'sort=price:asc&%73ort=price:asc', 'INVALID_QUERY', 'sort REPEATED'],
    ['a repeated cursor', 'cursor=&cursor=', 'INVALID_QUERY', 'cursor REPEATED'],
    ['a repeated filter that accepts one value', 'stars=1&stars=1', 'INVALID_QUERY', 'stars REPEATED'],
    ['an unknown value among several', 'status=new&status=x', 'INVALID_QUERY', 'status NOT_ALLOWED'],
    ['more than 100 values', 'makerId=1&'.repeat(101), 'UNPROCESSABLE_ENTITY', 'makerId TOO_MANY'],
    [
      'more than 100 values, the first of the wrong type',
      `makerId=x&${'makerId=1&'.repeat(101)}`,
      'INVALID_QUERY',
      'makerId WRONG_TYPE',
      'makerId TOO_MANY',
    ],
    ['a limit that is not a number', 'limit=abc', 'INVALID_QUERY', 'limit WRONG_TYPE'],
    ['a hexadecimal page', 'page=0x1f', 'INVALID_QUERY', 'page WRONG_TYPE'],
    ['a flag that is not true or false', 'inStock=yes', 'INVALID_QUERY', 'inStock WRONG_TYPE'],
    ['a NUL', 'category=a%00b', 'INVALID_QUERY', 'category BAD_CHARACTER'],
    ['%ZZ in a value', 'category=%ZZ', 'INVALID_QUERY', ' BAD_CHARACTER'],
    ['page together with cursor', 'page=1&cursor=', 'INVALID_QUERY', 'page NOT_ALLOWED'],
    ['an unknown sort', 'sort=colour:asc', 'INVALID_SORT', 'sort NOT_ALLOWED'],
    ['a cursor that the service did not issue', 'cursor=abc', 'INVALID_CURSOR', 'cursor NOT_ALLOWED'],
    ['page 0', 'page=0', 'UNPROCESSABLE_ENTITY', 'page TOO_SMALL'],
    ['a page beyond any list', 'page=1000000000001', 'UNPROCESSABLE_ENTITY', 'page TOO_LARGE'],
    ['limit 0', 'limit=0', 'UNPROCESSABLE_ENTITY', 'limit TOO_SMALL'],
    ['a negative bound', 'minPrice=-1', 'UNPROCESSABLE_ENTITY', 'minPrice TOO_SMALL'],
    ['bounds that cross', 'minPrice=10&maxPrice=9.99', 'UNPROCESSABLE_ENTITY', 'minPrice TOO_LARGE'],
    [
      'times that cross',
      'createdBefore=2026-01-01T00:00:00Z&createdFrom=2026-01-01T00:00:00-01:00',
      'UNPROCESSABLE_ENTITY',
      'createdFrom TOO_LARGE',
    ],
    ['a number of 501 digits', `limit=${'9'.repeat(501)}`, 'INVALID_QUERY', 'limit WRONG_TYPE'],
  ])('is refused with the code of its fault: %s', (_name, text, code, ...faults) => {
    const error = errorOf(text);
    expect(error.type.code).toBe(code);
    expect(error.status).toBe(code === 'UNPROCESSABLE_ENTITY' ? 422 : 400);
    expect(error.details!.map((detail) => `${detail.field} ${detail.code}`)).toEqual(faults);
  });

  test.each<[string, string, string, string[]]>([
    [
      'an unknown sort and a value out of range',
      'sort=x:asc&limit=0',
      'INVALID_SORT',
      ['limit TOO_SMALL', 'sort NOT_ALLOWED'],
    ],
    [
      'an unknown sort and a wrong type',
      'sort=x:asc&limit=x',
      'INVALID_QUERY',
      ['limit WRONG_TYPE', 'sort NOT_ALLOWED'],
    ],
    [
      'nine faults',
      'a=1&inStock=yes&inStock=no&minPrice=-1&sort=&page=0&cursor=x&limit=0&category=%FF',
      'INVALID_QUERY',
      [
        ' BAD_CHARACTER',
        'a UNKNOWN_FIELD',
        'inStock REPEATED',
        'inStock WRONG_TYPE',
        'limit TOO_SMALL',
        'minPrice TOO_SMALL',
        'page NOT_ALLOWED',
        'page TOO_SMALL',
        'sort NOT_ALLOWED',
      ],
    ],
  ])('is refused with all of its faults at once: %s', (_name, text, code, faults) => {
    const error = errorOf(text);
    expect(error.type.code).toBe(code);
    expect(error.details!.map((detail) => `${detail.field} ${detail.code}`).sort()).toEqual(faults);
  });

  test('is refused with messages that name the value and the rule', () => {
    expect(errorOf('limit=abc').message).toBe('limit: must be an integer (got "abc")');
    expect(errorOf('minPrice=3&maxPrice=2').message).toBe(
      'minPrice: must be at most 2, the value of maxPrice',
    );
    expect(errorOf('sort=x:asc').message).toBe(
      'sort: must sort by createdAt, price, rating, name, id (got "x")',
    );
    expect(errorOf('x=1', orders).message).toBe(
      'x: is unknown; the parameters are createdFrom, createdBefore, sort, page, limit, cursor',
    );
  });

  test('is refused with 414 if it leaves no room for a cursor, unless it has other faults', () => {
    const values = `category=${encodeURIComponent('😀'.repeat(20))}&`.repeat(24);
    const longest = `${values}limit=`.padEnd(6 * 1024 - 'cursor='.length - 2, '0');
    const cursor = cursors.encode(read(`${longest}1`).cursorScopeDigest, ['1', '1']);
    expect(read(`${longest}1&cursor=${cursor}`).position).toMatchObject({ style: 'cursor' });
    expect(errorOf(`${longest}01&cursor=${cursor}`).message).toBe(
      'The query of a list, without `cursor`, must be at most 6144 bytes (got 6145).',
    );
    expect(errorOf(`${longest}01&page=10`).type.code).toBe('URI_TOO_LONG');
    expect(errorOf(`${longest}01&page=x`).type.code).toBe('INVALID_QUERY');
  });

  test('does not repeat long text in its message', () => {
    for (const text of [`limit=${'x'.repeat(5000)}`, `${'x'.repeat(5000)}=1`, `sort=${'x'.repeat(5000)}`]) {
      expect(errorOf(text).message.length).toBeLessThan(300);
    }
  });

  test('reports at most a hundred faults, those that decide the status first', () => {
    const names = Array.from({ length: 2_000 }, (_, i) => `${i}=`).join('&');
    const error = errorOf(`limit=0&${names}`);
    expect(error.type.code).toBe('INVALID_QUERY');
    expect(error.details).toHaveLength(100);
    expect(error.details!.every(({ code }) => code === 'UNKNOWN_FIELD')).toBe(true);
    expect(JSON.stringify(error.toBody()).length).toBeLessThan(32 * 1024);
  });
});
