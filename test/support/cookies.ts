import { Answer } from '@plinth/dev/testing';

/** The cookies that an answer sets, by name, each with its attributes as they were sent. */
export function cookiesOf({ headers }: Answer): Record<string, { value: string; attributes: string[] }> {
  return Object.fromEntries(
    headers.getSetCookie().map((cookie) => {
      const [pair = '', ...attributes] = cookie.split('; ');
      const equals = pair.indexOf('=');
      return [pair.slice(0, equals), { value: pair.slice(equals + 1), attributes }];
    }),
  );
}

/** The value of a cookie that an answer sets. */
export function cookieOf(answer: Answer, name: string): string {
  const cookie = cookiesOf(answer)[name];
  if (!cookie) throw new Error(`the answer sets no ${name}: ${answer.status} ${answer.text}`);
  return cookie.value;
}
