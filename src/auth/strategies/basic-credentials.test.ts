import { readBasicCredentials } from './basic-credentials.js';

const basic = (text: string | Buffer, scheme = 'Basic'): string =>
  `${scheme} ${Buffer.from(text).toString('base64')}`;

describe('readBasicCredentials', () => {
  it.each([
    ['a plain pair', basic('ada@example.com:secret'), 'ada@example.com', 'secret'],
    ['colons in the password', basic('ada:a:b::c:'), 'ada', 'a:b::c:'],
    ['a password that starts with a colon', basic('ada::x'), 'ada', ':x'],
    ['an empty password', basic('ada:'), 'ada', ''],
    ['UTF-8', basic('ada:pässwörd 🔑'), 'ada', 'pässwörd 🔑'],
    ['spaces at the ends', basic('ada: x '), 'ada', ' x '],
    ['128 characters', basic(`ada:${'ü'.repeat(128)}`), 'ada', 'ü'.repeat(128)],
    ['the scheme in other case', basic('ada:x', 'bAsIc'), 'ada', 'x'],
    ['no padding', basic('ada:xyz1').replace(/=+$/, ''), 'ada', 'xyz1'],
  ])('takes %s', (_, header, user, password) => {
    expect(readBasicCredentials(header)).toEqual({ user, password });
  });

  it.each([
    ['no header', undefined],
    ['no credentials', 'Basic'],
    ['only a blank', 'Basic '],
    ['another scheme that has its name', basic('ada:x', 'NotBasicX')],
    ['no base64', 'Basic ***'],
    ['no colon', basic('ada')],
    ['bytes that are no UTF-8', basic(Buffer.from([0x61, 0x3a, 0xff]))],
    ['a NUL', basic('ada:\u0000')],
    ['more than anybody has', basic(`ada:${'x'.repeat(3000)}`)],
    ['two values', `${basic('ada:x')}, ${basic('ada:x')}`],
  ])('refuses %s', (_, header) => {
    expect(readBasicCredentials(header)).toBeNull();
  });
});
