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
  it('is recalled at once, in any spelling of the e-mail', async () => {
    const { basic, passwords } = verifier();
    expect(basic.recall('ada@example.com', 'right')).toBeUndefined();
    const principal = await basic.verify('ada@example.com', 'right', '::1');
    expect(principal).toMatchObject({ userId: 7, scheme: 'basic' });
    expect(basic.recall('Ada@Example.com', 'right')).toBe(principal);
    expect(passwords.asked).toBe(1);
  });

  it('vouches for no other pair, however the two are cut', async () => {
    const { basic } = verifier();
    await basic.verify('ada@example.com', 'right', '::1');
    for (const [email, password] of [
      ['ada@example.com', 'wrong'],
      ['eve@example.com', 'right'],
      ['ada@example.comr', 'ight'],
      ['ada@example.com","right', ''],
    ] as const)
      expect(basic.recall(email, password)).toBeUndefined();
  });

  it('is not recalled where it was wrong, or its user has changed since', async () => {
    const { basic, change } = verifier();
    expect(await basic.verify('ada@example.com', 'wrong', '::1')).toBeNull();
    expect(basic.recall('ada@example.com', 'wrong')).toBeUndefined();
    await basic.verify('ada@example.com', 'right', '::1');
    change({ userId: 8 });
    expect(basic.recall('ada@example.com', 'right')).toBeDefined();
    change({ userId: 7 });
    expect(basic.recall('ada@example.com', 'right')).toBeUndefined();
  });
});
