import { Controller, Get, Module } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';

import { Public } from '../../src/core/access/require-permission.decorator.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { startInProcess } from '../support/own-app.js';

describe('@Throttle() that cannot be held stops the start', () => {
  it.each<[string, Parameters<typeof Throttle>[0], RegExp]>([
    [
      'a limit of nothing',
      { default: { limit: 0, ttl: 1000 } },
      /OddController\.get: .* takes a limit of 1 or more/,
    ],
    ['a window of nothing', { default: { limit: 1, ttl: -5 } }, /takes a ttl of 1 or more/],
    ['half a limit', { burst: { limit: 3 } }, /@Throttle\(\{ burst: … \}\) takes a limit and a ttl/],
    ['a function', { default: { limit: () => 3, ttl: 1000 } }, /takes a limit of 1 or more, not \(\)/],
    [
      'a tracker',
      { default: { limit: 3, ttl: 1000, getTracker: () => 'all' } },
      /takes no getTracker: requests are counted before guards run/,
    ],
    [
      'a block beyond the window',
      { default: { limit: 3, ttl: 1000, blockDuration: 9000 } },
      /takes no blockDuration/,
    ],
    ['a name that no header carries', { 'b"': { limit: 3, ttl: 1000 } }, /takes a name of letters/],
  ])('%s', async (_name, options, message) => {
    @Controller({ path: 'odd', version: '1' })
    class OddController {
      @Get()
      @Public()
      @Throttle(options)
      get(): object {
        return {};
      }
    }
    @Module({ controllers: [OddController] })
    class OddModule {}
    const database: TestDatabase = await createDatabase();
    await expect(startInProcess({}, database, [OddModule])).rejects.toThrow(message);
    await database.drop();
  });
});
