import { PRODUCT } from '../../src/config/product.js';
import { canonicalEmail } from '../../src/fields/canonical-email.js';
import { Passwords } from '../../src/users/passwords.js';
import { User } from '../../src/users/user.entity.js';
import { Generator, Seeded } from './generator.js';
import { spread, YEAR_MS } from './times.js';
import { FIRST_NAMES, LAST_NAMES } from './users.names.js';

export type SeededUser = Seeded<
  User,
  'email' | 'canonicalEmail' | 'name' | 'role' | 'createdAt' | 'updatedAt'
>;

/** Of every user that is made up. Documented, so none of them is an administrator. */
const DEMO_PASSWORD = `${PRODUCT.slug}-demo-password`;
const EDITORS = 0.05;

/** People who joined in the past three years, the older ones first: before most of what they order. */
export const USERS: Generator<SeededUser> = {
  name: 'users',
  entity: User,
  note: `the password of each of these users: ${DEMO_PASSWORD}`,
  // Once: a hash for each would take hours, by design.
  shared: async () => ({ passwordHash: await new Passwords().hash(DEMO_PASSWORD) }),
  *rows({ count, random, now, lastId }) {
    // Whose address is taken, by somebody who was not made up here, is passed over: the next ones go on.
    for (let index = 0; ; index++) {
      const createdAt = spread(Math.min(index, count - 1), count, 3 * YEAR_MS, now, random);
      const first = random.pick(FIRST_NAMES);
      const last = random.pick(LAST_NAMES);
      // No number is given twice: a row's id is at least its number, and the next run begins above all ids.
      const email = `${first}.${last}.${lastId + index + 1}@example.com`.toLowerCase();
      yield {
        email,
        canonicalEmail: canonicalEmail(email),
        name: `${first} ${last}`,
        role: random.chance(EDITORS) ? 'editor' : 'viewer',
        createdAt,
        updatedAt: createdAt,
      };
    }
  },
};
