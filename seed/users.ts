import { faker } from '@faker-js/faker';
import { canonicalEmail } from '@plinth/core';
import { type Kind, insertRows } from '@plinth/dev/seed';

import { User } from '../src/users/user.entity.js';
import { many, times } from './batch.js';

export const USERS: Kind = {
  entities: [User],
  hasPassword: true,
  async add(manager, size, batch) {
    const rows = many(size, (index) => {
      const [first, last] = [faker.person.firstName(), faker.person.lastName()];
      // The number makes each e-mail unique.
      const number = batch.lastId + batch.made + index + 1;
      const email = `${first}.${last}.${number}@example.com`.toLowerCase().replaceAll(/[^a-z0-9.@]/g, '');
      return {
        name: `${first} ${last}`,
        email,
        canonicalEmail: canonicalEmail(email),
        passwordHash: batch.passwordHash,
        role: faker.helpers.weightedArrayElement([
          { weight: 19, value: 'viewer' },
          { weight: 1, value: 'editor' },
        ]),
        ...times(batch, index),
      };
    });
    return (await insertRows(manager, User, rows)).length;
  },
};
