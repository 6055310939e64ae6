import { isEmail } from './email.js';

describe('e-mail addresses', () => {
  test.each([
    ['every character of an atom', "!#$%&'*+-/=?^_`{|}~09azAZ@example.com"],
    ['dots between atoms', 'a.b.c@example.com'],
    ['a label of 63 characters', `ada@${'a'.repeat(63)}.com`],
    ['many labels', `ada@${'a.'.repeat(100)}com`],
    ['hyphens inside a label', 'ada@xn--mnchen-3ya.de'],
    ['letters of other scripts', '\u5f20\u4f1f@\u4f8b\u5b50.\u4e2d\u56fd'],
    [
      'letters with marks',
      '\u0930\u093e\u092e@\u0909\u0926\u093e\u0939\u0930\u0923.\u092d\u093e\u0930\u0924',
    ],
    ['a character outside the basic plane', '\u{1f600}@example.com'],
  ])('take %s', (_name, text) => {
    expect(isEmail(text)).toBe(true);
  });

  test.each([
    ['a dot in front', '.a@example.com'],
    ['a dot behind', 'a.@example.com'],
    ['two dots in a row', 'a..b@example.com'],
    ['a quoted local part', '"a b"@example.com'],
    ['a comment', 'a(b)@example.com'],
    ['an address literal', 'a@[127.0.0.1]'],
    ['a label of 64 characters', `ada@${'a'.repeat(64)}.com`],
    ['a label of 64 characters outside the basic plane', `ada@${'\u{20000}'.repeat(64)}.com`],
    ['an empty label', 'ada@example..com'],
    ['a dot before the domain', 'ada@.com'],
    ['a hyphen at an end of a label', 'ada@-example.com'],
    ['an underscore in a label', 'ada@ex_ample.com'],
    ['a mark that stands alone', 'ada@\u0301a.com'],
    ['nothing', ''],
    ['an at sign alone', '@'],
  ])('refuse %s', (_name, text) => {
    expect(isEmail(text)).toBe(false);
  });

  test.each([
    ['control', '\u0001'],
    ['line break', '\n'],
    ['delete', '\u007f'],
    ['C1 control', '\u0085'],
    ['no-break space', '\u00a0'],
    ['ideographic space', '\u3000'],
    ['soft hyphen', '\u00ad'],
    ['combining grapheme joiner', '\u034f'],
    ['zero-width space', '\u200b'],
    ['zero-width joiner', '\u200d'],
    ['word joiner', '\u2060'],
    ['byte order mark', '\ufeff'],
    ['right-to-left mark', '\u200f'],
    ['right-to-left override', '\u202e'],
    ['right-to-left isolate', '\u2067'],
    ['Arabic letter mark', '\u061c'],
    ['Hangul filler', '\u3164'],
    ['variation selector', '\ufe0f'],
    ['tag', '\u{e0061}'],
    ['line separator', '\u2028'],
  ])('refuse a %s anywhere', (_name, character) => {
    for (const text of [`${character}a@b.de`, `a${character}a@b.de`, `a${character}@b.de`]) {
      expect(isEmail(text)).toBe(false);
    }
    for (const text of [`a@${character}b.de`, `a@b${character}b.de`, `a@b.de${character}`]) {
      expect(isEmail(text)).toBe(false);
    }
  });
});
