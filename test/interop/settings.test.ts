import { Inject, Injectable, Module } from '@nestjs/common';
import { ConfigModule, type ConfigType, registerAs } from '@nestjs/config';
import { env, readSettings } from '@plinth/core';
import { z } from 'zod';

import { startInProcess } from '../support/own-app.js';

const shop = registerAs('shop', () =>
  readSettings({ currency: env('SHOP_CURRENCY', z.enum(['EUR', 'USD'], 'one of EUR, USD').default('EUR')) }),
);

@Injectable()
class PricesService {
  constructor(@Inject(shop.KEY) readonly settings: ConfigType<typeof shop>) {}
}

@Module({ imports: [ConfigModule.forFeature(shop)], providers: [PricesService] })
export class PricesModule {}

describe('variables of a module', () => {
  afterEach(() => {
    delete process.env['SHOP_CURRENCY'];
  });

  it('are given to its services', async () => {
    process.env['SHOP_CURRENCY'] = 'USD';
    const { app, stop } = await startInProcess({}, undefined, [PricesModule]);
    expect(app.nest.get(PricesService, { strict: false }).settings.currency).toBe('USD');
    await stop();
  });
});
