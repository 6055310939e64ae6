import { isCommonPassword, isObviousPassword } from './common-passwords.js';

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

describe('obvious passwords', () => {
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
  ])('%s is one', (password) => {
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
  ])('"%s" is none', (password) => {
    expect(isObviousPassword(password)).toBe(false);
  });
});
