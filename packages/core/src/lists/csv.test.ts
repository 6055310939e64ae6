import { formatCell, formatLine } from './csv.js';

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

test('keeps the place of an empty cell, even the first one', () => {
  const columns = ['a', 'b', 'c'].map((name) => ({ path: [name], schema: {} }));
  expect(formatLine({ a: null, b: 1, c: '' }, columns)).toBe(',1,\r\n');
});
