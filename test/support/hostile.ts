const fill = (length: number, make: (i: number) => string): string =>
  Array.from({ length: Math.floor(length) }, (_, i) => make(i)).join(',');

const upTo = (bytes: number, unit: string): string =>
  unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

/** The maximum number of values that the service reads, minus some for the object around them. */
const TAKEN = 19_900;

/**
 * JSON texts of about the given number of bytes that are costly for careless code to walk, compare or print.
 */
export const HOSTILE_VALUES: Readonly<Record<string, (bytes: number) => string>> = {
  'an object of as many keys as there is room for': (bytes) => `{${fill(bytes / 11, (i) => `"k${i}":1`)}}`,
  'an object of as many keys as the service accepts': (bytes) =>
    `{${fill(Math.min(TAKEN, bytes / 11), (i) => `"k${i}":1`)}}`,
  'an object of keys that are large numbers': (bytes) =>
    `{${fill(Math.min(TAKEN, bytes / 18), (i) => `"${65_536 * i}":1`)}}`,
  'an array of as many objects as there is room for': (bytes) => `[${fill(bytes / 3, () => '{}')}]`,
  'an array of as many objects as the service accepts': (bytes) =>
    `[${fill(Math.min(TAKEN / 2, bytes / 10), (i) => `{"a":${i % 10}}`)}]`,
  'an array of as many words as the service accepts': (bytes) =>
    `[${fill(Math.min(TAKEN, bytes / 7), () => '"read"')}]`,
  'arrays deeper than the service accepts': (bytes) => upTo(bytes, '['),
  'objects of 18 levels, side by side': (bytes) =>
    `[${fill(Math.min(TAKEN / 19, bytes / 110), () => `${'{"a":'.repeat(18)}1${'}'.repeat(18)}`)}]`,
  'a long text': (bytes) => `"${upTo(bytes, 'a')}"`,
  'a long text of surrogate pairs': (bytes) => `"${upTo(bytes, '😀')}"`,
  'a long text of numbers': (bytes) => `"${upTo(bytes, '123456789012345a')}"`,
  'a long text of escapes': (bytes) => `"${upTo(bytes, '\\u0000')}"`,
  'a long text of escaped quotes': (bytes) => `"${upTo(bytes, '\\"')}"`,
  'a long text of spaces': (bytes) => `"${upTo(bytes, ' ')}"`,
  'a long text of labels': (bytes) => `"a@${upTo(bytes, 'a.')}"`,
  'a number of many digits': (bytes) => `1${upTo(bytes, '0')}`,
  'a number of many decimals': (bytes) => `0.${upTo(bytes, '1')}`,
  'numbers that are rounded': (bytes) =>
    `[${fill(Math.min(TAKEN, bytes / 44), () => '12345678901234567.1234567890123456e-300')}]`,
  'a text that looks like a key that pollutes': (bytes) => `"${upTo(bytes, '\\"__proto__\\"   ')}"`,
  'a value that looks like a key that pollutes, and spaces': (bytes) =>
    `{"x":"__proto__"${upTo(bytes, ' ')}}`,
  'only spaces': (bytes) => upTo(bytes, ' '),
  'a long key': (bytes) => `{"${upTo(bytes, 'k')}":1}`,
  'members with the same name': (bytes) => `{${fill(Math.min(TAKEN, bytes / 11), (i) => `"a":${i}`)}}`,
};

/** Texts of about the given number of bytes for a query parameter or a header. */
export const HOSTILE_TEXTS: Readonly<Record<string, (bytes: number, name: string) => string>> = {
  'a long word': (bytes) => upTo(bytes, 'a'),
  'many digits': (bytes) => upTo(bytes, '9'),
  'other parameters': (bytes) => upTo(bytes, '1&'),
  'the same parameter': (bytes, name) => `1${upTo(bytes, `&${name}=1`)}`,
  'parameters of other names': (bytes) => `1&${fill(bytes / 7, (i) => `${i}`).replaceAll(',', '=&')}`,
  'repeated sorts by one field': (bytes) => upTo(bytes, 'createdAt:asc,'),
  'repeated directions of one sort': (bytes) => `createdAt${upTo(bytes, ':asc')}`,
  'encoded characters': (bytes) => upTo(bytes, '%F0%9F%98%80'),
  'encoded NULs': (bytes) => upTo(bytes, '%00'),
  'plus signs': (bytes) => upTo(bytes, '+'),
};
