import fc from 'fast-check';

import { canonicalEmail } from './email.js';

describe('the canonical form of an e-mail', () => {
  test.each([
    ['case', 'Ada@Example.COM', 'ada@example.com'],
    ['composition', 'jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['a capital I with a dot', 'V\u0130ctor@example.com', 'vi\u0307ctor@example.com'],
    ['the Kelvin sign', '\u212Aelvin@example.com', 'kelvin@example.com'],
    ['umlauts', 'J\u00dcRGEN@example.com', 'ju\u0308rgen@example.com'],
  ])('ignores %s', (_what, one, other) => {
    expect(canonicalEmail(one)).toBe(canonicalEmail(other));
  });

  test('keeps a dotless i apart from an i', () => {
    expect(canonicalEmail('v\u0131ctor@example.com')).not.toBe(canonicalEmail('victor@example.com'));
  });

  test('is its own canonical form, at most three times as long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        const canonical = canonicalEmail(text);
        expect(canonicalEmail(canonical)).toBe(canonical);
        expect([...canonical].length).toBeLessThanOrEqual(3 * [...text].length);
      }),
      { numRuns: 300 },
    );
  });

  test('every single character is canonical after one pass', () => {
    const unstable: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const once = canonicalEmail(String.fromCodePoint(code));
      if (canonicalEmail(once) !== once) unstable.push(code.toString(16));
    }
    expect(unstable).toEqual([]);
  });
});
