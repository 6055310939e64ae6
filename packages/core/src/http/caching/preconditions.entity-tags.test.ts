import { type EntityTag, parseEntityTags } from './preconditions.js';

const strong = (opaque: string): EntityTag => ({ weak: false, opaque });
const weak = (opaque: string): EntityTag => ({ weak: true, opaque });

describe('parseEntityTags', () => {
  test.each<[string, string, ReturnType<typeof parseEntityTags>]>([
    ['any', '*', '*'],
    ['a strong tag', '"xyzzy"', [strong('xyzzy')]],
    ['a weak tag', 'W/"xyzzy"', [weak('xyzzy')]],
    ['an empty tag', '""', [strong('')]],
    ['the asterisk as a tag', '"*"', [strong('*')]],
    [
      'a list',
      '"xyzzy", "r2d2xxxx", "c3piozzzz"',
      [strong('xyzzy'), strong('r2d2xxxx'), strong('c3piozzzz')],
    ],
    ['a list of both kinds', 'W/"a","b"', [weak('a'), strong('b')]],
    ['a list with blanks of both kinds', ' "a" \t,\t "b" ', [strong('a'), strong('b')]],
    ['a comma inside quotes', '"a,b", "c"', [strong('a,b'), strong('c')]],
    ['a comma and a weak sign inside quotes', '",W/", "c"', [strong(',W/'), strong('c')]],
    ['a backslash, which escapes nothing', '"a\\", "b"', [strong('a\\'), strong('b')]],
    ['obs-text', '"\x80\xa0\xff"', [strong('\x80\xa0\xff')]],
    ['the ends of visible ASCII', '"!#~"', [strong('!#~')]],
    ['nothing', '', []],
    ['only commas', ', ,,\t,', []],
    ['empty members between', '"a",, ,"b"', [strong('a'), strong('b')]],
  ])('takes %s', (_name, header, expected) => {
    expect(parseEntityTags(header)).toEqual(expected);
  });

  test.each([
    ['no quotes', 'abc'],
    ['a quote that does not end', '"abc'],
    ['a small w', 'w/"abc"'],
    ['a blank after W/', 'W/ "abc"'],
    ['a blank inside quotes', '"a b"'],
    ['DEL inside quotes', '"a\x7fb"'],
    ['a character beyond obs-text', '"a\u0100b"'],
    ['an escaped quote', '"a\\"b"'],
    ['two tags without a comma', '"a" "b"'],
    ['a semicolon', '"a"; "b"'],
    ['something behind a tag', '"a"x'],
    ['any in a list', '*, "a"'],
    ['a good tag before a bad one', '"a", b'],
    ['a no-break space between', '"a",\xa0"b"'],
  ])('refuses %s', (_name, header) => {
    expect(parseEntityTags(header)).toBeNull();
  });

  test.each([
    ['commas', ','],
    ['blanks', ' '],
    ['commas and blanks', ', '],
    ['quotes', '"'],
    ['tags', '"a",'],
    ['weak signs', 'W/'],
    ['a tag and many blanks', '"a"          '],
  ])('takes time linear in the length: %s', (_name, piece) => {
    const header = `${piece.repeat(1_000_000 / piece.length)}x"`;
    const startedMs = performance.now();
    expect(parseEntityTags(header)).toBeNull();
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });
});
