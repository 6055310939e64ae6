import { Inject, Injectable, Module } from '@nestjs/common';
import { ConfigModule, type ConfigType, registerAs } from '@nestjs/config';
import { env, readSettings } from '@plinth/core';
import { createUser, startApp } from '@plinth/dev/testing';
import { z } from 'zod';

import { AppModule } from '../../src/app.module.js';

const shop = registerAs('shop', () =>
  readSettings({ currency: env('SHOP_CURRENCY', z.enum(['EUR', 'USD'], 'one of EUR, USD').default('EUR')) }),
);

@Injectable()
class PricesService {
  constructor(@Inject(shop.KEY) readonly settings: ConfigType<typeof shop>) {}
}

@Module({ imports: [ConfigModule.forFeature(shop)], providers: [PricesService] })
export class PricesModule {}

@Module({ imports: [AppModule, PricesModule] })
class ShopModule {}

it('startApp() passes variables to the settings of a module, and column values to its users', async () => {
  const app = await startApp(ShopModule, { SHOP_CURRENCY: 'USD', DOCS: 'false' }, { name: 'Ada' });
  try {
    expect(app.nest.get(PricesService, { strict: false }).settings.currency).toBe('USD');
    expect(process.env['SHOP_CURRENCY']).toBeUndefined();
    await app.query('alter table users alter column name set not null');
    const me = await (await app.as('viewer')).get('/api/v1/users/me');
    expect(me.body).toMatchObject({ name: 'Ada' });
    const bob = await (await app.as('viewer', { name: 'Bob' })).get('/api/v1/users/me');
    expect(bob.body).toMatchObject({ name: 'Bob' });
    await expect(createUser(app.query, 'viewer')).rejects.toThrow(/"name".*userColumns/);
  } finally {
    await app.stop();
  }
});
