import { formatCell, formatLine } from './csv.js';

test.each<[string, unknown, string]>([
  ['text', 'Oak shelf', 'Oak shelf'],
  ['nothing', null, ''],
  ['no text', '', ''],
  ['a comma', 'a,b', '"a,b"'],
  ['quotes', 'a "b"', '"a ""b"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['what parts cells elsewhere', 'a;b', '"a;b"'],
  ['a number', -5.5, '-5.5'],
  ['a flag', false, 'false'],
  ['a list', ['read', 'a,b'], '"[""read"",""a,b""]"'],
  // Formulas, which spreadsheets would run.
  ['=', '=HYPERLINK("http://a")', `"'=HYPERLINK(""http://a"")"`],
  ['+', '+1', `'+1`],
  ['-', '-1', `'-1`],
  ['@', '@SUM(1)', `'@SUM(1)`],
  ['a tab', '\t=1', `"'\t'=1"`],
  ['a carriage return', '\r=1', `"'\r'=1"`],
  ['full width', '＝1', `'＝1`],
  ['a sign further in', 'a=1', 'a=1'],
  // A semicolon begins a cell where the decimal point is a comma, inside of quotes too.
  ['= after a semicolon', 'ok;=1+1;x', `"ok;'=1+1;x"`],
  ['@ after a tab', 'ok\t@a', `"ok\t'@a"`],
  ['- in a second line', 'a\n-1', `"a\n'-1"`],
  ['two formulas', '=1;=2', `"'=1;'=2"`],
])('%s', (_, value, cell) => {
  expect(formatCell(value)).toBe(cell);
});

test('an empty cell keeps its place, the first one too', () => {
  const columns = ['a', 'b', 'c'].map((name) => ({ path: [name], schema: {} }));
  expect(formatLine({ a: null, b: 1, c: '' }, columns)).toBe(',1,\r\n');
});
