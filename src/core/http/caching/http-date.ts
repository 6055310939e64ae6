const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';

const IMF_FIXDATE = new RegExp(`^${DAY}, \\d\\d ${MONTH} \\d{4} ${TIME} GMT$`);
const RFC_850 = new RegExp(`^${DAY}[a-z]*day, \\d\\d-${MONTH}-\\d\\d ${TIME} GMT$`);
const ASCTIME = new RegExp(`^${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`);

/**
 * The time that an HTTP date names (RFC 9110 §5.6.7), in epoch milliseconds (whole seconds), or null when it is no HTTP
 * date. Takes IMF-fixdate, the RFC 850 format and asctime; that the weekday is the right one adds nothing.
 *
 * @example parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT') // 784111777000
 */
export function parseHttpDate(text: string): number | null {
  const isAsctime = ASCTIME.test(text);
  if (!isAsctime && !IMF_FIXDATE.test(text) && !RFC_850.test(text)) return null;
  const time = Date.parse(isAsctime ? `${text} GMT` : text);
  // `Date.parse()` takes 31 February for a day of March.
  return new Date(time).getUTCDate() === Number(/\d+/.exec(text)?.[0]) ? time : null;
}
