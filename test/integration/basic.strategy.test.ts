import { Principal } from '../../packages/core/src/access/principal.js';
import { AccountEntity } from '../../packages/core/src/accounts/account.entity.js';
import { AccountsRepository } from '../../packages/core/src/accounts/accounts.repository.js';
import { PasswordVerifier } from '../../packages/core/src/sessions/password-verifier.js';
import { BasicStrategy, readBasicCredentials } from '../../src/auth/strategies/basic.strategy.js';

const EMAIL = 'ada@example.com';

function verifier(): {
  prove: (email: string, password: string) => Promise<Principal | null>;
  verify: jest.Mock;
  user: { passwordHash: string; role: string };
} {
  const user = { id: 7, role: 'viewer', passwordHash: 'first hash' };
  const findCredentials = (email: string): Promise<AccountEntity | undefined> =>
    Promise.resolve(email.toLowerCase() === EMAIL ? ({ ...user } as AccountEntity) : undefined);
  const verify = jest.fn((email: string, password: string) =>
    Promise.resolve(email.toLowerCase() === EMAIL && password === 'right' ? user : null),
  );
  // The stand-ins have only the members that the strategy uses, hence the casts. The test counts the
  // verifications.
  const passwords = { verify } as unknown as PasswordVerifier;
  const basic = new BasicStrategy({ findCredentials } as unknown as AccountsRepository, passwords);
  return {
    prove: (email, password) => basic.validate({ user: email, password, address: '::1' }),
    verify,
    user,
  };
}

describe('a verified pair of e-mail and password', () => {
  it('is not verified again, in any spelling of the e-mail', async () => {
    const { prove, verify, user } = verifier();
    const both = [prove(EMAIL, 'right'), prove('Ada@Example.com', 'right')];
    for (const principal of await Promise.all(both))
      expect(principal).toMatchObject({ userId: 7, role: 'viewer', scheme: 'basic' });
    user.role = 'editor';
    expect(await prove(EMAIL, 'right')).toMatchObject({ role: 'editor' });
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it('does not prove any other pair', async () => {
    const { prove, verify } = verifier();
    await prove(EMAIL, 'right');
    expect(await prove(EMAIL, 'wrong')).toBeNull();
    expect(await prove('eve@example.com', 'right')).toBeNull();
    expect(verify).toHaveBeenCalledTimes(3);
  });

  it('is verified again if it was wrong or the password has changed since', async () => {
    const { prove, verify, user } = verifier();
    for (let i = 0; i < 2; i++) expect(await prove(EMAIL, 'wrong')).toBeNull();
    await prove(EMAIL, 'right');
    expect(verify).toHaveBeenCalledTimes(3);
    user.passwordHash = 'another hash';
    await prove(EMAIL, 'right');
    expect(verify).toHaveBeenCalledTimes(4);
  });
});

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
    ['a scheme in other case', basic('ada:x', 'bAsIc'), 'ada', 'x'],
    ['base64 without padding', basic('ada:xyz1').replace(/=+$/, ''), 'ada', 'xyz1'],
  ])('accepts %s', (_, header, user, password) => {
    expect(readBasicCredentials(header)).toEqual({ user, password });
  });

  it.each([
    ['no header', undefined],
    ['no credentials', 'Basic'],
    ['a scheme and a space only', 'Basic '],
    ['another scheme that contains its name', basic('ada:x', 'NotBasicX')],
    ['text that is not base64', 'Basic ***'],
    ['no colon', basic('ada')],
    ['bytes that are not UTF-8', basic(Buffer.from([0x61, 0x3a, 0xff]))],
    ['a NUL', basic('ada:\u0000')],
    ['a password that is too long', basic(`ada:${'x'.repeat(3000)}`)],
    ['two values', `${basic('ada:x')}, ${basic('ada:x')}`],
  ])('refuses %s', (_, header) => {
    expect(readBasicCredentials(header)).toBeNull();
  });
});
