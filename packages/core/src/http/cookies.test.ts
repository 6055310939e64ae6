import { cookieValues } from './cookies.js';

it.each([
  [undefined, []],
  ['', []],
  ['session_id=a', ['a']],
  ['other=1; session_id=a; more=2', ['a']],
  ['session_id=a; session_id=b', ['a', 'b']],
  ['session_id=a;session_id=', ['a', '']],
  ['xsession_id=a; session_idx=b; session_id', []],
  ['session_id=a=b', ['a=b']],
])('finds the values of session_id in the Cookie header %j: %j', (header, expected) => {
  expect(cookieValues(header, 'session_id')).toEqual(expected);
});
