import { Credentials } from '../../users/users.repository.js';
import { UsersService } from '../../users/users.service.js';
import { BasicVerifier } from './basic-verifier.js';
import { PasswordVerifier } from './password-verifier.js';

const EMAIL = 'ada@example.com';

function verifier(): {
  basic: BasicVerifier;
  verify: jest.Mock;
  user: { passwordHash: string; role: string };
} {
  const user = { id: 7, role: 'viewer', passwordHash: 'first hash' };
  const findCredentials = (email: string): Promise<Credentials | undefined> =>
    Promise.resolve(email.toLowerCase() === EMAIL ? ({ ...user } as Credentials) : undefined);
  const verify = jest.fn((email: string, password: string) =>
    Promise.resolve(email.toLowerCase() === EMAIL && password === 'right' ? user : null),
  );
  const passwords = { verify } as unknown as PasswordVerifier;
  return {
    basic: new BasicVerifier({ findCredentials } as unknown as UsersService, passwords),
    verify,
    user,
  };
}

describe('a pair of e-mail and password that was verified', () => {
  it('is not verified again, in any spelling of the e-mail', async () => {
    const { basic, verify, user } = verifier();
    const both = [basic.verify(EMAIL, 'right', '::1'), basic.verify('Ada@Example.com', 'right', '::1')];
    for (const principal of await Promise.all(both))
      expect(principal).toMatchObject({ userId: 7, role: 'viewer', scheme: 'basic' });
    user.role = 'editor';
    expect(await basic.verify(EMAIL, 'right', '::1')).toMatchObject({ role: 'editor' });
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it('vouches for no other pair', async () => {
    const { basic, verify } = verifier();
    await basic.verify(EMAIL, 'right', '::1');
    expect(await basic.verify(EMAIL, 'wrong', '::1')).toBeNull();
    expect(await basic.verify('eve@example.com', 'right', '::1')).toBeNull();
    expect(verify).toHaveBeenCalledTimes(3);
  });

  it('is verified again where it was wrong, or the password has changed since', async () => {
    const { basic, verify, user } = verifier();
    for (let i = 0; i < 2; i++) expect(await basic.verify(EMAIL, 'wrong', '::1')).toBeNull();
    await basic.verify(EMAIL, 'right', '::1');
    expect(verify).toHaveBeenCalledTimes(3);
    user.passwordHash = 'another hash';
    await basic.verify(EMAIL, 'right', '::1');
    expect(verify).toHaveBeenCalledTimes(4);
  });
});
