import { isTrustedOrigin } from './same-origin.hook.js';

const OWN = 'https://api.example.com';
const ALLOWED = ['https://app.example.com'];

it.each([
  ['same-origin', undefined, true],
  ['same-origin', OWN, true],
  [undefined, OWN, true],
  [undefined, 'https://app.example.com', true],
  ['same-site', 'https://app.example.com', true],
  ['cross-site', 'https://app.example.com', true],
  [undefined, undefined, false],
  ['none', undefined, false],
  [undefined, 'null', false],
  [undefined, 'https://evil.example', false],
  [undefined, 'http://api.example.com', false],
  [undefined, `${OWN}.evil.example`, false],
  ['same-site', OWN, false],
  ['cross-site', undefined, false],
  ['cross-site', OWN, false],
])(
  'decides whether a session cookie may write (Sec-Fetch-Site %s, Origin %s): %s',
  (site, origin, expected) => {
    expect(isTrustedOrigin({ site, origin }, OWN, ALLOWED)).toBe(expected);
  },
);
