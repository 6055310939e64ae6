import fc from 'fast-check';

import { PRODUCT } from '../../config/product.js';
import { chooseMediaType, negotiate, vendorMediaType } from './negotiate.js';

const V1 = `application/vnd.${PRODUCT.slug}.v1+json`;
const V2 = `application/vnd.${PRODUCT.slug}.v2+json`;
const V9 = `application/vnd.${PRODUCT.slug}.v9+json`;
const SERVED = [1, 2];

type Case = [accept: string | undefined, version: number | null];

/** Values of `Accept` that take JSON, in any version that the path names. */
const TAKES_JSON: string[] = [
  'application/json',
  'APPLICATION/Json',
  'application/*',
  '*/*',
  ' */* ',
  'text/html, application/json',
  'text/html, */*;q=0.1',
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'application/json; charset=utf-8',
  'application/json;charset="utf-8"',
  'application/json;profile="a,b;q=0"',
  'application/json;profile="a\\",text/html"',
  'text/html;x="application/json;q=0", application/json',
  'application/json;Q=0.5',
  'application/json ; q=0.5 ; ext=1',
  'application/json;q=0, application/json;charset=utf-8',
  'application/json, application/json;q=0',
  'application/*;q=0, application/json',
  '*/*;q=0, application/*',
  ',, application/json ,',
  'nonsense, application/json',
  'application/json;q=abc, */*;q=0.1',
];

/** Values of `Accept` that take neither JSON nor a vendor type that is served. */
const TAKES_NOTHING: string[] = [
  'text/html',
  'text/*',
  V9,
  `application/vnd.${PRODUCT.slug}.v02+json`,
  'application/vnd.other.v1+json',
  `application/vnd.${PRODUCT.slug}.v2+xml`,
  'application/*+json',
  `application/vnd.${PRODUCT.slug}.*+json`,
  'application/json;q=0',
  'application/json;charset=utf-8;q=0',
  'application/json;q=0, */*',
  'application/json;q=0, application/*, */*',
  'application/*;q=0, */*',
  '*/*;q=0',
  `${V2};q=0`,
  'application/jsonp',
  'json',
  'application/json;q=abc',
  'application/json;q=-1',
  '"application/json"',
  'constructor',
  '__proto__',
];

describe('negotiate, path without a version', () => {
  test.each([undefined, '', '   ', '\t', ',', ' , ,'])(
    'nothing asked for, %j: the oldest version',
    (accept) => {
      expect(negotiate(accept, SERVED, null)).toBe(1);
    },
  );

  test.each(TAKES_JSON)('%s: the oldest version', (accept) => {
    expect(negotiate(accept, SERVED, null)).toBe(1);
  });

  test.each(TAKES_NOTHING)('%s: nothing', (accept) => {
    expect(negotiate(accept, SERVED, null)).toBeNull();
  });

  test.each<Case>([
    [V1, 1],
    [V2, 2],
    [`Application/VND.${PRODUCT.slug.toUpperCase()}.V2+JSON`, 2],
    [`${V2}; charset=utf-8`, 2],
    [`text/html, ${V2};q=0.1`, 2],
    // The highest quality decides.
    [`${V1};q=0.5, ${V2}`, 2],
    [`${V1}, ${V2};q=0.5`, 1],
    [`application/json, ${V2};q=0.9`, 1],
    [`application/json;q=0.9, ${V2}`, 2],
    [`*/*;q=0.8, ${V2};q=0.7`, 1],
    [`*/*;q=0.1, ${V2};q=0.7`, 2],
    [`application/*;q=0.5, */*, ${V2};q=0.7`, 2],
    // On equal quality: vendor type before JSON, then the first listed.
    [`application/json, ${V2}`, 2],
    [`${V2}, application/json`, 2],
    [`*/*, ${V2}`, 2],
    [`${V1}, ${V2}`, 1],
    [`${V2}, ${V1}`, 2],
    // What is not served or refused does not stand in the way of the rest.
    [`${V9}, ${V2};q=0.5`, 2],
    [`${V9}, application/json;q=0.5`, 1],
    [`${V9}, */*;q=0.1`, 1],
    [`application/json;q=0, ${V2}`, 2],
    [`*/*;q=0, ${V2}`, 2],
    [`${V2};q=0, */*`, 1],
    [`${V2};q=abc, */*;q=0.1`, 1],
    [`${V2};q=0.2, ${V2};q=0.9, application/json;q=0.5`, 2],
  ])('%s: version %s', (accept, version) => {
    expect(negotiate(accept, SERVED, null)).toBe(version);
  });

  test('the oldest version is the default in whatever order they are given', () => {
    expect(negotiate('*/*', [3, 2], null)).toBe(2);
  });
});

describe('negotiate, path with a version', () => {
  test.each([undefined, '', ...TAKES_JSON])('%s: the version of the path', (accept) => {
    expect(negotiate(accept, SERVED, 1)).toBe(1);
    expect(negotiate(accept, SERVED, 2)).toBe(2);
  });

  test.each(TAKES_NOTHING)('%s: nothing', (accept) => {
    expect(negotiate(accept, SERVED, 1)).toBeNull();
    expect(negotiate(accept, SERVED, 2)).toBeNull();
  });

  test.each<Case>([
    [V2, 2],
    [`${V2};q=0.1`, 2],
    [`${V1}, ${V2};q=0.1`, 2],
    [`application/json;q=0, ${V2}`, 2],
    [`${V1}, application/json;q=0.1`, 2],
    [`${V1}, */*;q=0.1`, 2],
    [`${V2};q=0, application/json`, 2],
    [V1, null],
    [V9, null],
    [`${V1}, text/html`, null],
    [`${V2};q=0`, null],
  ])('%s on a path of version 2: %s', (accept, version) => {
    expect(negotiate(accept, SERVED, 2)).toBe(version);
  });
});

const nearlyAccept = fc
  .array(
    fc.constantFrom(
      V1,
      V2,
      V9,
      'application/json',
      '*/*',
      ',',
      ';',
      'q=',
      '0',
      '0.5',
      '1',
      '"',
      '\\',
      ' ',
      'é',
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));
const anyAccept = fc.oneof(nearlyAccept, fc.string({ unit: 'binary' }), fc.constant(undefined));
const anyPath = fc.constantFrom(null, 1, 2);

describe('negotiate, any header', () => {
  test('never throws, and gives a version that is served and fits the path', () => {
    fc.assert(
      fc.property(anyAccept, anyPath, (accept, pathVersion) => {
        const negotiated = negotiate(accept, SERVED, pathVersion);
        if (negotiated === null) return;
        expect(pathVersion === null ? SERVED : [pathVersion]).toContain(negotiated);
      }),
    );
  });

  test.each([',', ';', '"', '\\', '"\\', 'a/b;q=0.5,', 'a/b;c="', ' ', '*/*;'])(
    'takes time linear in the length: %s',
    (piece) => {
      const header = `a/b${piece.repeat(300_000 / piece.length)}`;
      const startedMs = performance.now();
      negotiate(header, SERVED, null);
      expect(performance.now() - startedMs).toBeLessThan(2000);
    },
  );
});

test('chooses the media type of highest quality, and of several the first that is produced', () => {
  const produced = ['application/json', 'text/csv'];
  expect(chooseMediaType(undefined, produced)).toBe('application/json');
  expect(chooseMediaType('text/csv, application/json', produced)).toBe('application/json');
  expect(chooseMediaType('text/*, application/json;q=0.5', produced)).toBe('text/csv');
  expect(chooseMediaType(`text/csv;q=0.5, ${V2}`, produced)).toBe('application/json');
  expect(chooseMediaType('text/html', produced)).toBeUndefined();
});

test('vendorMediaType', () => {
  expect(vendorMediaType(2)).toBe(V2);
});
