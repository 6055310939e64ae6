import fc from 'fast-check';
import { parse } from 'yaml';

import { toYaml } from './yaml.js';

describe('a value of JSON as YAML', () => {
  it.each([
    [
      { a: 'b', list: [1, { c: null, d: [] }, ['x']] },
      'a: b\nlist:\n  - 1\n  - c: null\n    d: []\n  - - x\n',
    ],
    [{ text: 'One.\n\nTwo: 2' }, 'text: |-\n  One.\n\n  Two: 2\n'],
    [
      { '200': 'yes', no: '1', $ref: '#/a', 'x-y': 'a: b' },
      '"200": "yes"\n"no": "1"\n$ref: "#/a"\nx-y: "a: b"\n',
    ],
    [{}, '{}\n'],
  ])('writes %j', (value, text) => {
    expect(parse(toYaml(value))).toEqual(value);
    expect(toYaml(value)).toBe(text);
  });

  it('is read as the same value, whatever it is', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(' a\nb', 'a\n', '\n', 'a\r\nb', '- a', '|', '1e3', '~', 'a #b'),
    );
    const values = fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 4 });
    fc.assert(
      fc.property(fc.oneof(values, texts, fc.dictionary(texts, fc.array(texts))), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        expect(parse(toYaml(json))).toEqual(json);
      }),
      { numRuns: 100 },
    );
  });
});
