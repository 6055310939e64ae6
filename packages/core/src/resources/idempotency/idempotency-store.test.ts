import { randomBytes } from 'node:crypto';

import fc from 'fast-check';

import { seal, unseal } from './idempotency-store.js';

const key = randomBytes(32);

describe('a sealed text', () => {
  test('is read again with its key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(unseal(seal(text, key), key)).toBe(text);
      }),
    );
  });

  test('does not show what it is, nor that two are alike', () => {
    const sealed = seal('a secret', key);
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('secret');
    expect(seal('a secret', key)).not.toBe(sealed);
  });

  test('is not read with another key, nor when it was changed', () => {
    const sealed = seal('a secret', key);
    expect(() => unseal(sealed, randomBytes(32))).toThrow();
    expect(() => unseal(`${sealed.slice(0, -4)}AAA=`, key)).toThrow();
  });
});
