import fc from 'fast-check';

import { readJson } from './json-body.js';
import { countDecimals, sourceOfNumber } from './json-text.js';

const read = (text: string): Record<string, never> => readJson(Buffer.from(text)) as Record<string, never>;

describe('sourceOfNumber()', () => {
  test('returns the text of a number that may have been rounded, at any depth', () => {
    const text = '{"a":19.9900000000000000001,"b":{"c":[1,12345678901234567890]},"d":1e-400}';
    const body = read(text);
    expect(body).toEqual(JSON.parse(text));
    expect(sourceOfNumber(body, 'a')).toBe('19.9900000000000000001');
    expect(sourceOfNumber(body['b']!['c'], '1')).toBe('12345678901234567890');
    expect(sourceOfNumber(body, 'd')).toBe('1e-400');
    expect(sourceOfNumber(body['b']!['c'], '0')).toBeUndefined();
  });

  test('finds a number after any other JSON', () => {
    const text = `{ "a" : [ {}, [], [[1e-400]], {"x\\"y,{": [0, 1e-400], "\\u0062": 1e-400} ], "c":{"d":"]}"}, "2": 1e-400 }`;
    const body = read(text) as unknown as Record<
      string,
      [never, never, number[][], Record<string, number[]>]
    >;
    expect(body).toEqual(JSON.parse(text));
    expect(sourceOfNumber(body['a']![2][0]!, '0')).toBe('1e-400');
    expect(sourceOfNumber(body['a']![3]['x"y,{']!, '1')).toBe('1e-400');
    expect(sourceOfNumber(body['a']![3]['x"y,{']!, '0')).toBeUndefined();
    expect(sourceOfNumber(body['a']![3], 'b')).toBe('1e-400');
    expect(sourceOfNumber(body, '2')).toBe('1e-400');
  });

  test('does not mistake the content of a string for a number', () => {
    const text = '{"a":"x 19.9900000000000000001","12345678901234567890":"1e-400","b":1e-400}';
    expect(read(text)).toEqual(JSON.parse(text));
  });

  test('returns the last of several members with the same name', () => {
    expect(sourceOfNumber(read('{"a":1e-400,"a":2}'), 'a')).toBeUndefined();
    expect(sourceOfNumber(read('{"a":2,"a":1e-400}'), 'a')).toBe('1e-400');
  });

  test('leaves invalid JSON with long numbers invalid', () => {
    for (const number of ['01234567890123456789', '1234567890123456789.', '1.e-400', '1e-400-', '--1e-400']) {
      expect(() => read(`{"a":${number}}`)).toThrow('not valid JSON');
    }
  });

  test('does not change what JSON.parse() returns', () => {
    const digits = fc.stringMatching(/^(0|-?[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), digits)), (members) => {
        const text = `{${members.map(([key, number]) => `${JSON.stringify(key)}:${number}`).join(',')}}`;
        fc.pre(!text.includes('__proto__'));
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

test.each([
  ['0', 0],
  ['-0.000', 0],
  ['0e-400', 0],
  ['100', 0],
  ['1.50', 1],
  ['-1.05', 2],
  ['0.001', 3],
  ['15e-5', 5],
  ['1.5E+1', 0],
  ['1.25e1', 1],
  ['100e-2', 0],
  ['1e-400', 400],
  ['19.9900000000000000001', 19],
])('counts the decimals of %s as %i', (text, decimals) => {
  expect(countDecimals(text)).toBe(decimals);
});
