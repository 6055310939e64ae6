import { isCommonPassword, Passwords } from './passwords.js';

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

test('a failure to hash is not remembered', async () => {
  class Passing extends Passwords {
    failure: Error | undefined = new Error('out of memory');
    override hash(password: string): Promise<string> {
      return this.failure ? Promise.reject(this.failure) : super.hash(password);
    }
  }
  const passwords = new Passing();
  await expect(passwords.verify('a password', undefined)).rejects.toThrow('out of memory');
  passwords.failure = undefined;
  expect(await passwords.verify('a password', await passwords.hash('a password'))).toBe(true);
});
