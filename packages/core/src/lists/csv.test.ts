import { JsonSchema } from '../fields/rules.js';
import { csvColumns, csvLine, formatCell, formatLine } from './csv.js';

test.each<[string, unknown, string]>([
  ['text', 'Oak shelf', 'Oak shelf'],
  ['null', null, ''],
  ['an empty string', '', ''],
  ['a comma', 'a,b', '"a,b"'],
  ['quotes', 'a "b"', '"a ""b"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['a semicolon', 'a;b', '"a;b"'],
  ['a number', -5.5, '-5.5'],
  ['a flag', false, 'false'],
  ['a list', ['read', 'a,b'], '"[""read"",""a,b""]"'],
  [
    'an object',
    { a: ';b', 'c;=d': [';-1', ';＠x', '=1'] },
    `"{""a"":"";b"",""c;\\u003dd"":["";\\u002d1"","";\\uff20x"",""=1""]}"`,
  ],
  // Spreadsheets would run these as formulas, so they are escaped.
  ['=', '=HYPERLINK("http://a")', `"'=HYPERLINK(""http://a"")"`],
  ['+', '+1', `'+1`],
  ['-', '-1', `'-1`],
  ['@', '@SUM(1)', `'@SUM(1)`],
  ['a tab', '\t=1', `"'\t'=1"`],
  ['a carriage return', '\r=1', `"'\r'=1"`],
  ['= in full width', '＝1', `'＝1`],
  ['= inside a text', 'a=1', 'a=1'],
  // In locales with a decimal comma, a semicolon begins a new cell, even inside quotes.
  ['= after a semicolon', 'ok;=1+1;x', `"ok;'=1+1;x"`],
  ['@ after a tab', 'ok\t@a', `"ok\t'@a"`],
  ['- at the start of a second line', 'a\n-1', `"a\n'-1"`],
  ['two formulas', '=1;=2', `"'=1;'=2"`],
])('writes %s as one CSV cell', (_, value, cell) => {
  expect(formatCell(value)).toBe(cell);
});

test('writes a line of values of any kind', () => {
  const values = ['=SUM(A1)', 5, null, undefined, true, new Date(0), ['a', 'b']];
  expect(csvLine(values)).toBe(`'=SUM(A1),5,,,true,1970-01-01T00:00:00.000Z,"[""a"",""b""]"\r\n`);
});

test('keeps the place of an empty cell, even the first one', () => {
  const columns = csvColumns({ properties: { a: {}, b: {}, c: {} } });
  expect(formatLine({ a: null, b: 1, c: '' }, columns)).toBe(',1,\r\n');
});

describe('a nested object', () => {
  const place: JsonSchema = {
    type: 'object',
    properties: {
      city: { default: 'Bonn' },
      at: { properties: { lat: { default: 1 } }, default: { lat: 2 } },
    },
  };
  const columns = csvColumns({ properties: { place, stops: { type: 'array', items: place } } });
  test.each<[string, object, string]>([
    ['is empty if it is null', { place: null, stops: [] }, ',,[]'],
    ['has the defaults of missing members', { place: {}, stops: [] }, 'Bonn,2,[]'],
    ['has no default in place of null', { place: { city: null, at: null }, stops: [] }, ',,[]'],
    ['has the defaults of a nested object', { place: { city: 'Rom', at: {} }, stops: [] }, 'Rom,1,[]'],
    [
      'has the defaults in the items of a list',
      { place: null, stops: [{ x: 1 }] },
      ',,"[{""city"":""Bonn"",""at"":{""lat"":2}}]"',
    ],
  ])('%s', (_, row, line) => {
    expect(formatLine(row, columns)).toBe(`${line}\r\n`);
  });
});
