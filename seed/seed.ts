import { faker } from '@faker-js/faker';
import type { Seed } from '@plinth/dev/seed';

import { DEMO_ENTITIES, DEMO_USERS, seedDemo } from './demo.js';
import { KINDS } from './rows.js';

/** The rows that `plinth seed` can add to the database of this application. */
const seed: Seed = {
  kinds: KINDS,
  demo: { entities: DEMO_ENTITIES, users: DEMO_USERS, add: seedDemo },
  setRandomSeed: (start) => void faker.seed(start),
};

export default seed;
