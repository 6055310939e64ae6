/**
 * HTTP dates, RFC 9110 §5.6.7: reading all three formats, writing the one that may be sent.
 */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';
const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY_NAME = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';

const IMF_FIXDATE = new RegExp(`^${DAY_NAME}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`);
const RFC_850 = new RegExp(`^${LONG_DAY_NAME}, (?<day>\\d{2})-${MONTH}-(?<shortYear>\\d{2}) ${TIME} GMT$`);
const ASCTIME = new RegExp(`^${DAY_NAME} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`);

/** The Gregorian calendar repeats after 400 years; `Date.UTC` takes the years 0 to 99 for 1900 to 1999. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * 86_400_000;

/**
 * The time that an HTTP date names, in epoch milliseconds (whole seconds), or null when it is no HTTP date.
 *
 * Takes IMF-fixdate, the RFC 850 format and asctime, nothing else: case, spaces and digits are as in the
 * grammar, the calendar day must exist, 60 is a second only at 23:59:60. A two-digit year is read so that
 * the date is at most 50 years after `nowMs` (RFC 9110 §5.6.7).
 *
 * The weekday must be a weekday but need not be the right one: it adds nothing, the RFC asks recipients to be
 * robust, and a date declared invalid would make `If-Unmodified-Since` be ignored, which lets a write through.
 *
 * @example parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT') // 784111777000
 */
export function parseHttpDate(text: string, nowMs: number = Date.now()): number | null {
  const parts = (IMF_FIXDATE.exec(text) ?? RFC_850.exec(text) ?? ASCTIME.exec(text))?.groups;
  if (parts === undefined) return null;
  const timeMs = timeOfDay(Number(parts.hour), Number(parts.minute), Number(parts.second));
  if (timeMs === null) return null;
  const month = MONTHS.indexOf(parts.month ?? '');
  const day = Number(parts.day);
  const year =
    parts.shortYear === undefined
      ? Number(parts.year)
      : fullYear(Number(parts.shortYear), (candidate) => midnight(candidate, month, day) + timeMs, nowMs);
  const midnightMs = midnight(year, month, day);
  return new Date(midnightMs).getUTCDate() === day ? midnightMs + timeMs : null;
}

/**
 * The IMF-fixdate of a time in ISO 8601; a fraction of a second is cut off, never rounded up, so that `Last-Modified`
 * is not later than the change.
 *
 * @throws RangeError for what is no time, and outside the years 0000 to 9999, which the format cannot express
 * @example httpDateOf('1994-11-06T08:49:37.999Z') // 'Sun, 06 Nov 1994 08:49:37 GMT'
 */
export function httpDateOf(isoTime: string): string {
  const utc = UTC_TIME.test(isoTime) ? isoTime : new Date(Date.parse(isoTime)).toISOString();
  if (utc.length > 'yyyy-mm-ddThh:mm:ss.sssZ'.length) throw new RangeError(`No HTTP date can express ${utc}`);
  return `${startOfDay(utc.slice(0, 'yyyy-mm-dd'.length))}${utc.slice(11, 19)} GMT`;
}

/** As rows have their times, and `Date.prototype.toISOString()` writes those of four-digit years. */
const UTC_TIME = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** The beginning that the dates of a day share. `toUTCString()` takes ten times as long as the rest of a date. */
const startsOfDays = new Map<string, string>();
/** Rows of several years. */
const REMEMBERED_DAYS = 2_000;

/** The weekday, day, month and year of an ISO date, with the blank behind them. */
function startOfDay(date: string): string {
  let start = startsOfDays.get(date);
  if (start === undefined) {
    if (startsOfDays.size >= REMEMBERED_DAYS) startsOfDays.clear();
    const midnight = new Date(date);
    if (Number.isNaN(midnight.getTime())) throw new RangeError(`${date} is no day`);
    start = midnight.toUTCString().slice(0, 'Sun, 06 Nov 1994 '.length);
    startsOfDays.set(date, start);
  }
  return start;
}

/** Milliseconds after midnight, or null when the clock shows no such time. */
function timeOfDay(hour: number, minute: number, second: number): number | null {
  const isLeapSecond = hour === 23 && minute === 59 && second === 60;
  if (hour > 23 || minute > 59 || (second > 59 && !isLeapSecond)) return null;
  return ((hour * 60 + minute) * 60 + second) * 1000;
}

/** A day beyond its month comes out as a day of another month, which the caller can see. */
function midnight(year: number, month: number, day: number): number {
  return Date.UTC(year + CYCLE_YEARS, month, day) - CYCLE_MS;
}

/** The latest year with these last two digits that is not more than 50 years ahead. */
function fullYear(shortYear: number, dateIn: (year: number) => number, nowMs: number): number {
  const limit = new Date(nowMs);
  limit.setUTCFullYear(limit.getUTCFullYear() + 50);
  const century = Math.floor(limit.getUTCFullYear() / 100) * 100;
  const year = century + shortYear;
  return dateIn(year) > limit.getTime() ? year - 100 : year;
}
