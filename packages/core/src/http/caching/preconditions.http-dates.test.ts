import fc from 'fast-check';

import { parseHttpDate } from './preconditions.js';

const EXAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('parseHttpDate', () => {
  test.each([
    ['IMF-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT', EXAMPLE],
    ['RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT', EXAMPLE],
    ['RFC 850 in this century', 'Wednesday, 06-Nov-24 08:49:37 GMT', Date.UTC(2024, 10, 6, 8, 49, 37)],
    ['asctime with a day of one digit', 'Sun Nov  6 08:49:37 1994', EXAMPLE],
    ['asctime with a day of two digits', 'Wed Nov 16 08:49:37 1994', EXAMPLE + 10 * 86_400_000],
    ['a date before the epoch', 'Wed, 31 Dec 1969 23:59:59 GMT', -1000],
    ['a date in the last year', 'Fri, 31 Dec 9999 23:59:59 GMT', Date.parse('9999-12-31T23:59:59Z')],
    ['29 February of a leap year', 'Thu, 29 Feb 2024 00:00:00 GMT', Date.UTC(2024, 1, 29)],
    ['the wrong weekday', 'Mon, 06 Nov 1994 08:49:37 GMT', EXAMPLE],
  ])('accepts %s', (_name, text, epochMs) => {
    expect(parseHttpDate(text)).toBe(epochMs);
  });

  test.each([
    ['an empty header', ''],
    ['ISO 8601', '1994-11-06T08:49:37Z'],
    ['a number', '784111777'],
    ['an offset', 'Sun, 06 Nov 1994 08:49:37 +0000'],
    ['no zone', 'Sun, 06 Nov 1994 08:49:37'],
    ['lower case', 'sun, 06 nov 1994 08:49:37 gmt'],
    ['a line break at the end', 'Sun, 06 Nov 1994 08:49:37 GMT\n'],
    ['a year of two digits in IMF-fixdate', 'Sun, 06 Nov 94 08:49:37 GMT'],
    ['asctime with a zone', 'Sun Nov  6 08:49:37 1994 GMT'],
    ['an unknown month', 'Sun, 06 Nob 1994 08:49:37 GMT'],
    ['day 0', 'Sun, 00 Nov 1994 08:49:37 GMT'],
    ['31 February', 'Sat, 31 Feb 2026 09:30:00 GMT'],
    ['31 November in asctime', 'Thu Nov 31 08:49:37 1994'],
    ['day 32', 'Sun, 32 Jan 1994 08:49:37 GMT'],
    ['hour 24', 'Sun, 06 Nov 1994 24:00:00 GMT'],
    ['two dates', 'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT'],
  ])('refuses %s', (_name, text) => {
    expect(parseHttpDate(text)).toBeNull();
  });

  test('reads what toUTCString() writes as the same second', () => {
    const time = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    const isSame = fc.property(
      time,
      (date) => parseHttpDate(date.toUTCString()) === Math.floor(date.getTime() / 1000) * 1000,
    );
    fc.assert(isSame);
  });
});
