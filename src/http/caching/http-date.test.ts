import fc from 'fast-check';

import { httpDateOf, parseHttpDate } from './http-date.js';

const EXAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37);
const NOW = Date.UTC(2026, 5, 15, 12, 0, 0);

describe('parseHttpDate', () => {
  test.each([
    ['IMF-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT', EXAMPLE],
    ['RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT', EXAMPLE],
    ['asctime, day of one digit', 'Sun Nov  6 08:49:37 1994', EXAMPLE],
    ['asctime, day of two digits', 'Wed Nov 16 08:49:37 1994', EXAMPLE + 10 * 86_400_000],
    ['asctime, day with a zero', 'Sun Nov 06 08:49:37 1994', EXAMPLE],
    ['the epoch', 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['before the epoch', 'Wed, 31 Dec 1969 23:59:59 GMT', -1000],
    ['the first year', 'Sat, 01 Jan 0000 00:00:00 GMT', Date.parse('0000-01-01T00:00:00Z')],
    ['a year below 100', 'Mon, 01 Jan 0099 00:00:00 GMT', Date.parse('0099-01-01T00:00:00Z')],
    ['the last year', 'Fri, 31 Dec 9999 23:59:59 GMT', Date.parse('9999-12-31T23:59:59Z')],
    ['29 February of a leap year', 'Thu, 29 Feb 2024 00:00:00 GMT', Date.UTC(2024, 1, 29)],
    ['29 February of 2000', 'Tue, 29 Feb 2000 00:00:00 GMT', Date.UTC(2000, 1, 29)],
    ['a leap second', 'Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2017, 0, 1)],
    ['the wrong weekday', 'Mon, 06 Nov 1994 08:49:37 GMT', EXAMPLE],
  ])('takes %s', (_name, text, epochMs) => {
    expect(parseHttpDate(text, NOW)).toBe(epochMs);
  });

  test.each([
    ['50 years ahead to the second', 'Monday, 15-Jun-76 12:00:00 GMT', Date.UTC(2076, 5, 15, 12)],
    ['a second more', 'Monday, 15-Jun-76 12:00:01 GMT', Date.UTC(1976, 5, 15, 12, 0, 1)],
    ['75', 'Tuesday, 31-Dec-75 00:00:00 GMT', Date.UTC(2075, 11, 31)],
    ['77', 'Friday, 01-Jan-77 00:00:00 GMT', Date.UTC(1977, 0, 1)],
    ['99', 'Friday, 31-Dec-99 23:59:59 GMT', Date.UTC(1999, 11, 31, 23, 59, 59)],
    ['00, a leap year', 'Tuesday, 29-Feb-00 00:00:00 GMT', Date.UTC(2000, 1, 29)],
  ])('reads the two-digit year %s', (_name, text, epochMs) => {
    expect(parseHttpDate(text, NOW)).toBe(epochMs);
  });

  test('reads a two-digit year of the next century when that is near', () => {
    expect(parseHttpDate('Saturday, 01-Jan-01 00:00:00 GMT', Date.UTC(2099, 0, 1))).toBe(
      Date.UTC(2101, 0, 1),
    );
  });

  test('keeps a two-digit year within 50 years ahead and 100 years back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1971, max: 2400 }), (short, nowYear) => {
        const text = `Monday, 01-Mar-${String(short).padStart(2, '0')} 00:00:00 GMT`;
        const year = new Date(parseHttpDate(text, Date.UTC(nowYear, 2, 1)) ?? NaN).getUTCFullYear();
        return year % 100 === short && year <= nowYear + 50 && year > nowYear - 50;
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['a word', 'yesterday'],
    ['ISO 8601', '1994-11-06T08:49:37Z'],
    ['a number', '784111777'],
    ['another zone', 'Sun, 06 Nov 1994 08:49:37 UTC'],
    ['an offset', 'Sun, 06 Nov 1994 08:49:37 +0000'],
    ['no zone', 'Sun, 06 Nov 1994 08:49:37'],
    ['lower case', 'sun, 06 nov 1994 08:49:37 gmt'],
    ['a blank before', ' Sun, 06 Nov 1994 08:49:37 GMT'],
    ['a blank after', 'Sun, 06 Nov 1994 08:49:37 GMT '],
    ['a line break after', 'Sun, 06 Nov 1994 08:49:37 GMT\n'],
    ['two blanks', 'Sun,  06 Nov 1994 08:49:37 GMT'],
    ['a day of one digit', 'Sun, 6 Nov 1994 08:49:37 GMT'],
    ['an hour of one digit', 'Sun, 06 Nov 1994 8:49:37 GMT'],
    ['no seconds', 'Sun, 06 Nov 1994 08:49 GMT'],
    ['a fraction', 'Sun, 06 Nov 1994 08:49:37.5 GMT'],
    ['a year of two digits in IMF-fixdate', 'Sun, 06 Nov 94 08:49:37 GMT'],
    ['a year of five digits', 'Sun, 06 Nov 19940 08:49:37 GMT'],
    ['a year of four digits in RFC 850', 'Sunday, 06-Nov-1994 08:49:37 GMT'],
    ['a short weekday in RFC 850', 'Sun, 06-Nov-94 08:49:37 GMT'],
    ['a long weekday in IMF-fixdate', 'Sunday, 06 Nov 1994 08:49:37 GMT'],
    ['asctime with a zone', 'Sun Nov  6 08:49:37 1994 GMT'],
    ['asctime without the padding', 'Sun Nov 6 08:49:37 1994'],
    ['an unknown weekday', 'Son, 06 Nov 1994 08:49:37 GMT'],
    ['an unknown month', 'Sun, 06 Nob 1994 08:49:37 GMT'],
    ['day 0', 'Sun, 00 Nov 1994 08:49:37 GMT'],
    ['day 0 in asctime', 'Sun Nov  0 08:49:37 1994'],
    ['31 November', 'Sun, 31 Nov 1994 08:49:37 GMT'],
    ['day 32', 'Sun, 32 Jan 1994 08:49:37 GMT'],
    ['29 February of a common year', 'Wed, 29 Feb 2023 00:00:00 GMT'],
    ['29 February of 1900', 'Thu, 29 Feb 1900 00:00:00 GMT'],
    ['hour 24', 'Sun, 06 Nov 1994 24:00:00 GMT'],
    ['minute 60', 'Sun, 06 Nov 1994 08:60:00 GMT'],
    ['second 60 within a day', 'Sun, 06 Nov 1994 08:49:60 GMT'],
    ['second 61', 'Sun, 06 Nov 1994 23:59:61 GMT'],
    ['two dates', 'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT'],
    ['digits of another script', 'Sun, ٠٦ Nov 1994 08:49:37 GMT'],
  ])('refuses %s', (_name, text) => {
    expect(parseHttpDate(text, NOW)).toBeNull();
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseHttpDate(text) === null));
  });
});

describe('httpDateOf', () => {
  test.each([
    ['the example of the RFC', '1994-11-06T08:49:37.000Z', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    ['a fraction, cut off', '1994-11-06T08:49:37.999Z', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    [
      'a fraction before the epoch, cut downwards',
      '1969-12-31T23:59:59.999Z',
      'Wed, 31 Dec 1969 23:59:59 GMT',
    ],
    ['a time without a fraction', '1994-11-06T08:49:37Z', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    ['a time of another zone', '1994-11-06T00:49:37.125+02:00', 'Sat, 05 Nov 1994 22:49:37 GMT'],
    ['a year below 1000', '0007-01-01T00:00:00.000Z', 'Mon, 01 Jan 0007 00:00:00 GMT'],
  ])('writes %s', (_name, isoTime, text) => {
    expect(httpDateOf(isoTime)).toBe(text);
  });

  test.each([
    ['what is no time', 'infinity'],
    ['null', null as unknown as string],
    ['an hour that is not there', '2026-01-01T25:00:00.000Z'],
    ['a day that is not there', '2026-13-01T00:00:00.000Z'],
    ['the year 10000', '+010000-01-01T00:00:00.000Z'],
    ['the year -1', '-000001-12-31T23:59:59.000Z'],
  ])('refuses %s', (_name, isoTime) => {
    expect(() => httpDateOf(isoTime)).toThrow(RangeError);
  });

  const anyTime = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });

  test('writes what toUTCString() writes, for dates of more days than are remembered', () => {
    const written = fc.property(anyTime, (date) => httpDateOf(date.toISOString()) === date.toUTCString());
    fc.assert(written, { numRuns: 5_000 });
  });

  test('is read back as the same second', () => {
    fc.assert(
      fc.property(anyTime, (date) => {
        const wholeSeconds = Math.floor(date.getTime() / 1000) * 1000;
        return parseHttpDate(httpDateOf(date.toISOString())) === wholeSeconds;
      }),
    );
  });
});
