import { type EntityTag, parseEntityTags } from './preconditions.js';

const strong = (opaque: string): EntityTag => ({ weak: false, opaque });
const weak = (opaque: string): EntityTag => ({ weak: true, opaque });

describe('parseEntityTags', () => {
  test.each<[string, string, ReturnType<typeof parseEntityTags>]>([
    ['the asterisk', '*', '*'],
    ['a strong tag', '"xyzzy"', [strong('xyzzy')]],
    ['a weak tag', 'W/"xyzzy"', [weak('xyzzy')]],
    ['an empty tag', '""', [strong('')]],
    ['a tag that contains an asterisk', '"*"', [strong('*')]],
    [
      'a list',
      '"xyzzy", "r2d2xxxx", "c3piozzzz"',
      [strong('xyzzy'), strong('r2d2xxxx'), strong('c3piozzzz')],
    ],
    ['a list of strong and weak tags', 'W/"a","b"', [weak('a'), strong('b')]],
    ['a list with spaces and tabs', ' "a" \t,\t "b" ', [strong('a'), strong('b')]],
    ['a comma inside quotes', '"a,b", "c"', [strong('a,b'), strong('c')]],
    ['a comma and a weak sign inside quotes', '",W/", "c"', [strong(',W/'), strong('c')]],
    ['a backslash, which escapes nothing', '"a\\", "b"', [strong('a\\'), strong('b')]],
    ['obs-text', '"\x80\xa0\xff"', [strong('\x80\xa0\xff')]],
    ['the ends of visible ASCII', '"!#~"', [strong('!#~')]],
    ['an empty header', '', []],
    ['only commas', ', ,,\t,', []],
    ['empty members between tags', '"a",, ,"b"', [strong('a'), strong('b')]],
  ])('accepts %s', (_name, header, expected) => {
    expect(parseEntityTags(header)).toEqual(expected);
  });

  test.each([
    ['no quotes', 'abc'],
    ['a quote that does not end', '"abc'],
    ['a lower-case w', 'w/"abc"'],
    ['a space after W/', 'W/ "abc"'],
    ['a space inside quotes', '"a b"'],
    ['DEL inside quotes', '"a\x7fb"'],
    ['a character beyond obs-text', '"a\u0100b"'],
    ['an escaped quote', '"a\\"b"'],
    ['two tags without a comma', '"a" "b"'],
    ['a semicolon', '"a"; "b"'],
    ['text after a tag', '"a"x'],
    ['an asterisk in a list', '*, "a"'],
    ['a good tag before a bad one', '"a", b'],
    ['a no-break space between tags', '"a",\xa0"b"'],
  ])('refuses %s', (_name, header) => {
    expect(parseEntityTags(header)).toBeNull();
  });

  test.each([
    ['commas', ','],
    ['spaces', ' '],
    ['commas and spaces', ', '],
    ['quotes', '"'],
    ['tags', '"a",'],
    ['weak prefixes', 'W/'],
    ['a tag and many spaces', '"a"          '],
  ])('needs time linear in the length of the header: %s', (_name, piece) => {
    const header = `${piece.repeat(1_000_000 / piece.length)}x"`;
    const startedMs = performance.now();
    expect(parseEntityTags(header)).toBeNull();
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });
});
