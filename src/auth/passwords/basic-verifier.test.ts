import { UserChanges } from '../../users/user-changes.service.js';
import { User } from '../../users/user.entity.js';
import { BasicVerifier } from './basic-verifier.js';
import { PasswordVerifier } from './password-verifier.js';

const NOTIFICATIONS = { heardUntil: Infinity, onGap: () => undefined } as never;
const USER = { id: 7, role: 'user' } as unknown as User;

type Changed = (change: { userId: number }) => void;

function verifier(): { basic: BasicVerifier; passwords: { asked: number }; change: Changed } {
  const passwords = { asked: 0 };
  const verify = (_email: string, password: string): Promise<User | null> => {
    passwords.asked++;
    return Promise.resolve(password === 'right' ? USER : null);
  };
  let change: Changed = () => undefined;
  const changes = { onCommitted: (listener: Changed) => (change = listener) } as unknown as UserChanges;
  const basic = new BasicVerifier({ verify } as unknown as PasswordVerifier, NOTIFICATIONS, changes);
  return { basic, passwords, change: (told) => change(told) };
}

describe('a pair of e-mail and password that was verified', () => {
  it('is not verified again, in any spelling of the e-mail', async () => {
    const { basic, passwords } = verifier();
    const principal = await basic.verify('ada@example.com', 'right', '::1');
    expect(principal).toMatchObject({ userId: 7, scheme: 'basic' });
    expect(await basic.verify('Ada@Example.com', 'right', '::1')).toBe(principal);
    expect(passwords.asked).toBe(1);
  });

  it('vouches for no other pair, however the two are cut', async () => {
    const { basic, passwords } = verifier();
    await basic.verify('ada@example.com', 'right', '::1');
    const others = [
      ['ada@example.com', 'wrong'],
      ['eve@example.com', 'right'],
      ['ada@example.comr', 'ight'],
      ['ada@example.com","right', ''],
    ] as const;
    for (const [email, password] of others) await basic.verify(email, password, '::1');
    expect(passwords.asked).toBe(1 + others.length);
  });

  it('is verified again where it was wrong, or its user has changed since', async () => {
    const { basic, passwords, change } = verifier();
    for (let i = 0; i < 2; i++) expect(await basic.verify('ada@example.com', 'wrong', '::1')).toBeNull();
    await basic.verify('ada@example.com', 'right', '::1');
    expect(passwords.asked).toBe(3);
    change({ userId: 8 });
    await basic.verify('ada@example.com', 'right', '::1');
    expect(passwords.asked).toBe(3);
    change({ userId: 7 });
    await basic.verify('ada@example.com', 'right', '::1');
    expect(passwords.asked).toBe(4);
  });
});
