import { PRODUCT } from '../../src/config/product.js';
import { NOTHING } from './existing.js';
import { Random } from './random.js';
import { SeededUser, USERS } from './users.generator.js';

const NOW = new Date('2026-11-20T09:30:00.000Z');
const COUNT = 2000;

function make(seed: number, lastId = 0, take = COUNT): SeededUser[] {
  const random = new Random(seed, 'users');
  const users: SeededUser[] = [];
  for (const user of USERS.rows({ count: COUNT, random, now: NOW, lastId, existing: NOTHING })) {
    if (users.push(user) === take) break;
  }
  return users;
}

const emails = (users: SeededUser[]): string[] => users.map(({ email }) => email.toLowerCase());

describe('the users generator', () => {
  const users = make(1);

  it('makes the same from the same seed, and others from another', () => {
    expect(make(1)).toEqual(users);
    expect(make(2)).not.toEqual(users);
  });

  it('makes addresses of the names, each once', () => {
    for (const { email, name } of users) {
      expect(email).toMatch(/^[a-z]+\.[a-z]+\.\d+@example\.com$/);
      expect(email.replace(/\.\d+@.*/, '')).toBe(name?.toLowerCase().replace(' ', '.'));
    }
    expect(new Set(emails(users)).size).toBe(COUNT);
  });

  it('makes other addresses in the next run, which begins above the highest id', () => {
    expect(new Set([...emails(users), ...emails(make(1, COUNT))]).size).toBe(2 * COUNT);
  });

  it('goes on where addresses were taken', () => {
    const more = make(1, 0, COUNT + 5);
    expect(new Set(emails(more)).size).toBe(COUNT + 5);
    for (const { createdAt } of more) expect(createdAt.getTime()).toBeLessThanOrEqual(NOW.getTime());
  });

  it('makes viewers, some editors and no administrator', () => {
    const editors = users.filter(({ role }) => role === 'editor').length;
    expect(editors).toBeGreaterThan(COUNT * 0.03);
    expect(editors).toBeLessThan(COUNT * 0.07);
    expect(users.filter(({ role }) => role === 'viewer')).toHaveLength(COUNT - editors);
  });

  it('has one hash for all, of the password that it names', async () => {
    expect(await USERS.shared?.()).toEqual({ passwordHash: expect.stringMatching(/^\$argon2id\$/) });
    expect(USERS.note).toContain(`${PRODUCT.slug}-demo-password`);
  });
});
