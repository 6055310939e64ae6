import { Answer } from '@plinth/dev/testing';

/** The cookies that a response sets, by name, each with its attributes as they were sent. */
export function cookiesOf({ headers }: Answer): Record<string, { value: string; attributes: string[] }> {
  return Object.fromEntries(
    headers.getSetCookie().map((cookie) => {
      const [pair = '', ...attributes] = cookie.split('; ');
      const equals = pair.indexOf('=');
      return [pair.slice(0, equals), { value: pair.slice(equals + 1), attributes }];
    }),
  );
}

/** The value of a cookie that a response sets. */
export function cookieOf(answer: Answer, name: string): string {
  const cookie = cookiesOf(answer)[name];
  if (!cookie) throw new Error(`the response sets no cookie ${name}: ${answer.status} ${answer.text}`);
  return cookie.value;
}
