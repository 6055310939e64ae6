import { isCommonPassword, isObviousPassword } from './common-passwords.js';

describe('isCommonPassword()', () => {
  test.each(['password', 'PassWord', '12345678', 'qwertyuiop', 'football'])(
    'is true for "%s"',
    (password) => {
      expect(isCommonPassword(password)).toBe(true);
    },
  );

  test.each(['correct horse battery staple', ' password', 'password ', 'pässword', ''])(
    'is false for "%s"',
    (password) => {
      expect(isCommonPassword(password)).toBe(false);
    },
  );
});

describe('isObviousPassword()', () => {
  test.each([
    ...['changeme', 'ChangeMe', 'CHANGEME!', 'changeme123', 'changeit', 'password', 'Password1', '12345678'],
    ...[
      'adminadmin',
      'administrator',
      'Administrator1',
      'admin1234',
      'admin-password',
      'letmein2026',
      'rootroot',
    ],
    ...['plinth123', 'plinth-admin', 'Plinth2026!', 'PlinthPlinth', 'plinth_secret'],
  ])('is true for "%s"', (password) => {
    expect(isObviousPassword(password)).toBe(true);
  });

  test.each([
    ...[
      'correct horse battery staple',
      'changemeplease',
      'admin 48151623',
      'plinthos rises',
      'tests of plinths',
    ],
    ...['x9!adminK2', 'password\u0130s', ''],
  ])('is false for "%s"', (password) => {
    expect(isObviousPassword(password)).toBe(false);
  });
});
