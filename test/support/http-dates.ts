const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The obsolete format of RFC 850 (RFC 9110 §5.6.7) of a date in the preferred one: `Sun, 06 Nov 1994 08:49:37 GMT`. */
export function rfc850(date: string): string {
  const [, day, month, year, time] = date.split(' ') as [string, string, string, string, string];
  return `${DAYS[new Date(date).getUTCDay()]!}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

/** The obsolete format of asctime() (RFC 9110 §5.6.7) of a date in the preferred one. */
export function asctime(date: string): string {
  const [, day, month, year, time] = date.split(' ') as [string, string, string, string, string];
  return `${date.slice(0, 3)} ${month} ${String(Number(day)).padStart(2, ' ')} ${time} ${year}`;
}
