import fc from 'fast-check';

import { parseQueryString } from './query-string.js';

const split = (text: string): [object, boolean] => {
  const { parameters, isMalformed } = parseQueryString(text);
  const values = [...parameters].map(([name, all]) => [name, all.length > 1 ? all : all[0]]);
  return [Object.fromEntries(values), isMalformed];
};

describe('parseQueryString()', () => {
  test.each<[string, Record<string, string>]>([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['&a=1&&b=2&', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=a', { '': 'a' }],
    ['a=b=c', { a: 'b=c' }],
    ['a+b=c+d', { 'a b': 'c d' }],
    ['a=%20', { a: ' ' }],
    ['a=%26b%3D1', { a: '&b=1' }],
    ['%61=1', { a: '1' }],
    ['a=gr%C3%BCn', { a: 'grün' }],
    ['a=%00', { a: '\u0000' }],
    ['a[]=1', { 'a[]': '1' }],
    ['a=1;b=2', { a: '1;b=2' }],
  ])('splits %j', (text, parameters) => {
    expect(split(text)).toEqual([parameters, false]);
  });

  test('treats __proto__ and constructor like any other name', () => {
    const { parameters } = parseQueryString('__proto__=1&constructor=2');
    expect([...parameters]).toEqual([
      ['__proto__', ['1']],
      ['constructor', ['2']],
    ]);
    expect(({} as { 1?: unknown })[1]).toBeUndefined();
  });

  test.each<[string, Record<string, readonly string[]>]>([
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a=1&a=1', { a: ['1', '1'] }],
    ['a=1&%61=2', { a: ['1', '2'] }],
    ['a=1&b=2&a=3&b=4', { a: ['1', '3'], b: ['2', '4'] }],
    ['__proto__=1&__proto__=2', { ['__proto__']: ['1', '2'] }],
  ])('collects the values of a repeated parameter: %s', (text, parameters) => {
    expect(split(text)).toEqual([parameters, false]);
  });

  test.each([['a=%ZZ'], ['%ZZ=1'], ['a=%'], ['a=%FF'], ['a=%ED%A0%80'], ['a=%C0%AF']])(
    'reports a malformed query: %s',
    (text) => {
      expect(parseQueryString(text).isMalformed).toBe(true);
    },
  );

  test('reads any query that URLSearchParams writes', () => {
    const text = fc.string({ unit: 'grapheme' });
    const parameter = fc.tuple(text, fc.array(text, { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(fc.uniqueArray(parameter, { selector: ([name]) => name }), (parameters) => {
        const pairs = parameters.flatMap(([name, values]) =>
          values.map((value) => [name, value] as [string, string]),
        );
        const query = parseQueryString(new URLSearchParams(pairs).toString());
        expect([...query.parameters]).toEqual(parameters);
        expect(query.isMalformed).toBe(false);
      }),
    );
  });
});
