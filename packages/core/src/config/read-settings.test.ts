import { z } from 'zod';

import { env, secret } from './setting-schemas.js';
import { readSettings } from './read-config.js';

test('readSettings() reads the variables of an application in groups, and reports every fault', () => {
  const tree = {
    currency: env('SHOP_CURRENCY', z.enum(['EUR', 'USD'], 'one of EUR, USD').default('EUR')),
    payments: { key: secret('PAYMENTS_KEY', z.string('a key')) },
  };
  expect(readSettings(tree, { PAYMENTS_KEY: 'k' })).toEqual({ currency: 'EUR', payments: { key: 'k' } });
  expect(() => readSettings(tree, { SHOP_CURRENCY: 'GBP' })).toThrow(
    'SHOP_CURRENCY: must be one of EUR, USD (got "GBP")\nPAYMENTS_KEY: must be a key (it is not set)',
  );
});
