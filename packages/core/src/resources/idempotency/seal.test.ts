import { randomBytes } from 'node:crypto';

import fc from 'fast-check';

import { seal, unseal } from './seal.js';

const key = randomBytes(32);

describe('seal()', () => {
  test('encrypts a text that unseal() decrypts with the same key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(unseal(seal(text, key), key)).toBe(text);
      }),
    );
  });

  test('reveals neither the text nor that two texts are equal', () => {
    const sealed = seal('a secret', key);
    expect(sealed.toString('latin1')).not.toContain('secret');
    expect(seal('a secret', key)).not.toEqual(sealed);
  });

  test('protects the text: unseal() throws for another key, or after a change', () => {
    const sealed = seal('a secret', key);
    expect(() => unseal(sealed, randomBytes(32))).toThrow();
    sealed[sealed.length - 1]! ^= 1;
    expect(() => unseal(sealed, key)).toThrow();
  });
});
