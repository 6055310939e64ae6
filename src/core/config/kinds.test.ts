import { z } from 'zod';

import * as kinds from './kinds.js';

const takes =
  (kind: z.ZodType) =>
  (text: string, expected: unknown): void => {
    expect(kind.parse(text)).toEqual(expected);
  };

const refuses =
  (kind: z.ZodType, message: RegExp) =>
  (text: string): void => {
    expect(kind.safeParse(text).error?.issues[0]?.message).toMatch(message);
  };

describe('text', () => {
  test.each([[''], [' '], ['a b'], ['ü']])('takes %j as it is', (text) => {
    takes(kinds.text)(text, text);
  });
});

describe('flag', () => {
  test.each([
    ['true', true],
    ['false', false],
  ])('takes %s', takes(kinds.flag));
  test.each([['TRUE'], ['1'], [''], ['true ']])('refuses %j', refuses(kinds.flag, /^true or false$/));
});

describe('integer', () => {
  const parser = kinds.integer(1, 100);
  test.each([
    ['1', 1],
    ['100', 100],
    ['042', 42],
  ])('takes %s', takes(parser));
  test.each([['0'], ['101'], ['1.5'], ['1e1'], [''], [' 1'], ['1 '], ['1'.repeat(16)]])(
    'refuses %j',
    refuses(parser, /^a whole number from 1 to 100$/),
  );
});

describe('oneOf', () => {
  const parser = kinds.oneOf(['memory', 'redis']);
  test.each([
    ['memory', 'memory'],
    ['redis', 'redis'],
  ])('takes %s', takes(parser));
  test.each([['Redis'], ['redis '], [''], ['constructor'], ['memory,redis']])(
    'refuses %j',
    refuses(parser, /^one of memory, redis$/),
  );
});

describe('date', () => {
  test.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T12:30', '2027-01-31T12:30:00.000Z'],
    ['2027-01-31T12:30:15Z', '2027-01-31T12:30:15.000Z'],
    ['2027-01-31T12:30:15.123Z', '2027-01-31T12:30:15.123Z'],
    ['2027-01-31T00:30:00+02:00', '2027-01-30T22:30:00.000Z'],
  ])('takes %s', (text, iso) => {
    expect(kinds.date.parse(text).toISOString()).toBe(iso);
  });
  test.each([
    ['tomorrow'],
    ['2027-01'],
    ['2027-02-29'],
    ['2027-01-31T25:00'],
    ['2027-01-31T12:00+25:00'],
    ['1800000000'],
    [''],
  ])('refuses %j', refuses(kinds.date, /^an ISO 8601 date such as 2027-01-31/));
});

describe('listOf', () => {
  const parser = kinds.listOf(kinds.integer(0, 9));
  test.each([
    ['1', [1]],
    ['1,2', [1, 2]],
    [' 1 , 2 ', [1, 2]],
    ['1,,2,', [1, 2]],
    [',', []],
    ['', []],
  ])('takes %j', takes(parser));
  test('refuses the whole for one faulty part', () => {
    refuses(parser, /^a whole number from 0 to 9$/)('1,x');
  });
});

describe('postgresUrl', () => {
  test.each([
    ['postgres://user:secret@db:5432/app'],
    ['postgresql://db/app?sslmode=require'],
    ['postgres://%2Ftmp/app'],
  ])('takes %s', (url) => {
    takes(kinds.postgresUrl)(url, url);
  });
  test.each([
    ['mysql://db/app'],
    ['db:5432/app'],
    ['postgres://'],
    ['postgres:db'],
    ['postgres://db:port/x'],
    ['Postgres://db/x'],
  ])('refuses %s', refuses(kinds.postgresUrl, /^postgres:\/\/user:password@host:port\/database$/));
});

describe('origin', () => {
  test.each([['https://app.example.com'], ['http://localhost:5173'], ['https://[::1]:8443']])(
    'takes %s',
    (origin) => {
      takes(kinds.origin)(origin, origin);
    },
  );
  test.each([
    ['*'],
    ['https://app.example.com/'],
    ['https://app.example.com/path'],
    ['https://app.example.com:443'],
    ['https://user@app.example.com'],
  ])('refuses %s', refuses(kinds.origin, /^origins such as https:/));
});

describe('hsts', () => {
  test.each([
    ['max-age=0', 'max-age=0'],
    ['max-age=31536000; includeSubDomains; preload', 'max-age=31536000; includeSubDomains; preload'],
    ['off', undefined],
  ])('takes %s', takes(kinds.hsts));
  test.each([[''], ['on'], ['max-age'], ['max-age=1\r\nx: y'], ['max-age=1; x'], ['includeSubDomains']])(
    'refuses %j',
    refuses(kinds.hsts, /^max-age=<seconds>/),
  );
});

describe('secret', () => {
  test.each([
    ['32 bytes', 'a'.repeat(32)],
    ['16 characters of two bytes', 'ü'.repeat(16)],
  ])('takes %s', (_name, secret) => {
    takes(kinds.keySecret)(secret, secret);
  });
  test.each([['a'.repeat(31)], ['ü'.repeat(15)], ['']])(
    'refuses %j',
    refuses(kinds.keySecret, /^secrets of at least 32 bytes each$/),
  );
});

describe('email', () => {
  test.each([['admin@example.com'], ['ada+x@example.com'], ['a@b']])('takes %s', (email) => {
    takes(kinds.email)(email, email);
  });
  test.each([['admin'], ['a@b@c'], [''], [`${'a'.repeat(254)}@b.de`]])(
    'refuses %j',
    refuses(kinds.email, /^an e-mail address$/),
  );
});

describe('password', () => {
  test.each([
    ['8 characters', 'pa:ss wd'],
    ['128 characters', 'x'.repeat(128)],
    ['8 characters beyond the basic plane', '😀'.repeat(8)],
    ['128 characters beyond the basic plane', '😀'.repeat(128)],
  ])('takes %s', (_name, password) => {
    takes(kinds.password)(password, password);
  });
  test.each([['x'.repeat(7)], ['x'.repeat(129)], ['😀'.repeat(7)], ['']])(
    'refuses %j',
    refuses(kinds.password, /^8 to 128 characters$/),
  );
});

describe('proxies', () => {
  test.each<[string, readonly string[] | number]>([
    ['1', 1],
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
    ['2001:db8::/32', ['2001:db8::/32']],
    ['::1', ['::1']],
  ])('takes %s', takes(kinds.proxies));
  test.each([
    ['true'],
    ['*'],
    ['proxy.example.com'],
    ['-1'],
    ['100'],
    ['999.1.1.1'],
    ['10.0.0.0/33'],
    ['10.0.0.1, nobody'],
  ])('refuses %j', refuses(kinds.proxies, /^a hop count, or addresses and ranges such as 10\.0\.0\.0\/8$/));
});
