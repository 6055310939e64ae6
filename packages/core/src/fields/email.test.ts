import { canonicalEmail, isEmail } from './email.js';

describe('isEmail()', () => {
  test.each([
    ['every character of an atom', "!#$%&'*+-/=?^_`{|}~09azAZ@example.com"],
    ['dots between atoms', 'a.b.c@example.com'],
    ['a label of 63 characters', `ada@${'a'.repeat(63)}.com`],
    ['hyphens inside a label', 'ada@xn--mnchen-3ya.de'],
    ['64 bytes before the @', `${'a'.repeat(64)}@example.com`],
    ['letters of other scripts', '\u5f20\u4f1f@\u4f8b\u5b50.\u4e2d\u56fd'],
    [
      'letters with marks',
      '\u0930\u093e\u092e@\u0909\u0926\u093e\u0939\u0930\u0923.\u092d\u093e\u0930\u0924',
    ],
    ['a character outside the basic plane', '\u{1f600}@example.com'],
  ])('accepts %s', (_name, text) => {
    expect(isEmail(text)).toBe(true);
  });

  test.each([
    ['a dot at the start of the local part', '.a@example.com'],
    ['a dot at the end of the local part', 'a.@example.com'],
    ['two dots in a row', 'a..b@example.com'],
    ['a quoted local part', '"a b"@example.com'],
    ['an address literal', 'a@[127.0.0.1]'],
    ['a label of 64 characters', `ada@${'a'.repeat(64)}.com`],
    ['a label of 64 characters outside the basic plane', `ada@${'\u{20000}'.repeat(64)}.com`],
    ['a hyphen at an end of a label', 'ada@-example.com'],
    ['an underscore in a label', 'ada@ex_ample.com'],
    ['a combining mark without a letter', 'ada@\u0301a.com'],
    ['65 bytes before the @', `${'a'.repeat(65)}@example.com`],
    ['65 bytes of 33 letters before the @', `${'\u00e9'.repeat(32)}a@example.com`],
    ['a label of 64 characters in its ASCII form', `ada@${'\u00fc'.repeat(60)}.de`],
    ['an empty string', ''],
  ])('refuses %s', (_name, text) => {
    expect(isEmail(text)).toBe(false);
  });

  test.each([
    ['control', '\u0001'],
    ['line break', '\n'],
    ['no-break space', '\u00a0'],
    ['soft hyphen', '\u00ad'],
    ['combining grapheme joiner', '\u034f'],
    ['zero-width space', '\u200b'],
    ['zero-width joiner', '\u200d'],
    ['byte order mark', '\ufeff'],
    ['right-to-left override', '\u202e'],
    ['variation selector', '\ufe0f'],
    ['line separator', '\u2028'],
  ])('refuses a %s at any position', (_name, character) => {
    for (const text of [`${character}a@b.de`, `a${character}a@b.de`, `a${character}@b.de`]) {
      expect(isEmail(text)).toBe(false);
    }
    for (const text of [`a@${character}b.de`, `a@b${character}b.de`, `a@b.de${character}`]) {
      expect(isEmail(text)).toBe(false);
    }
  });
});

test.each([
  ['x@m\u00fcnchen.de', 'x@xn--mnchen-3ya.de'],
  ['X@M\u00dcNCHEN.DE', 'x@xn--mnchen-3ya.de'],
  ['x@xn--mnchen-3ya.de', 'x@xn--mnchen-3ya.de'],
  ['x@mu\u0308nchen.de', 'x@xn--mnchen-3ya.de'],
  ['Jos\u00e9@Example.com', 'jos\u00e9@example.com'],
  ['\u039f\u0394\u039f\u03a3@example.com', '\u03bf\u03b4\u03bf\u03c3@example.com'],
  ['\u03bf\u03b4\u03bf\u03c2@example.com', '\u03bf\u03b4\u03bf\u03c3@example.com'],
  ['not an address', 'not an address'],
])('turns %s into its canonical form %s, which is canonical itself', (email, canonical) => {
  expect(canonicalEmail(email)).toBe(canonical);
  expect(canonicalEmail(canonical)).toBe(canonical);
});

test('makes every single character canonical in one pass', () => {
  const unstable: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const once = canonicalEmail(String.fromCodePoint(code));
    if (canonicalEmail(once) !== once) unstable.push(code.toString(16));
  }
  expect(unstable).toEqual([]);
});
