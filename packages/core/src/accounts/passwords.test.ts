import { isCommonPassword } from './passwords.js';

describe('common passwords', () => {
  test.each(['password', 'PassWord', '12345678', 'qwertyuiop', 'football'])('%s is one', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  test.each(['correct horse battery staple', ' password', 'password ', 'pässword', ''])(
    '"%s" is none',
    (password) => {
      expect(isCommonPassword(password)).toBe(false);
    },
  );
});
