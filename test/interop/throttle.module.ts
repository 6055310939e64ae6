import { Controller, Get, HttpCode, Injectable, Module, Post, UseGuards } from '@nestjs/common';
import {
  InjectThrottlerStorage,
  minutes,
  seconds,
  SkipThrottle,
  Throttle,
  ThrottlerGuard,
  ThrottlerStorage,
} from '@nestjs/throttler';

import { Public, RequirePermission } from '../../packages/core/src/access/require-permission.decorator.js';

@Controller({ path: 'throttled', version: ['1', '2'] })
class ThrottledController {
  @Post('mails')
  @HttpCode(202)
  @RequirePermission('read')
  @Throttle({ default: { limit: 2, ttl: minutes(1) } })
  mail(): object {
    return {};
  }
}

@Controller({ path: 'throttled-class', version: '1' })
@Throttle({ default: { limit: 3, ttl: seconds(30) } })
class ThrottledClassController {
  @Get('plain')
  @Public()
  plain(): object {
    return {};
  }

  @Get('own')
  @Public()
  @Throttle({ default: { limit: 9, ttl: seconds(30) } })
  own(): object {
    return {};
  }

  @Get('free')
  @Public()
  @SkipThrottle()
  free(): object {
    return {};
  }
}

@Controller({ path: 'skipping', version: '1' })
@SkipThrottle()
class SkippingController {
  @Get('free')
  @Public()
  free(): object {
    return {};
  }

  @Get('counted')
  @Public()
  @SkipThrottle({ default: false })
  counted(): object {
    return {};
  }
}

@Module({ controllers: [ThrottledController, ThrottledClassController, SkippingController] })
export class ThrottledModule {}

/** A guard of a team that counts requests by a header. */
@Injectable()
class TenantGuard extends ThrottlerGuard {
  protected override getTracker(request: { headers: Record<string, string> }): Promise<string> {
    return Promise.resolve(request.headers['x-tenant'] ?? '');
  }
}

@Controller({ path: 'bursts', version: '1' })
@Public()
class BurstsController {
  constructor(@InjectThrottlerStorage() private readonly storage: ThrottlerStorage) {}

  @Get()
  @SkipThrottle({ default: true })
  plain(): object {
    return {};
  }

  @Get('own')
  @Throttle({ burst: { limit: 1, ttl: minutes(5) } })
  own(): object {
    return {};
  }

  @Get('free')
  @SkipThrottle({ burst: true })
  async free(): Promise<object> {
    return this.storage.increment('free', 1_000, 100, 0, 'own');
  }

  @Get('blocked')
  @SkipThrottle({ burst: true })
  @Throttle({ default: { limit: 1, ttl: minutes(1), blockDuration: minutes(10) } })
  blocked(): object {
    return {};
  }

  @Get('tenant')
  @SkipThrottle({ burst: true })
  @Throttle({ default: { limit: 2, ttl: minutes(1) } })
  @UseGuards(TenantGuard)
  tenant(): object {
    return {};
  }
}

@Module({ controllers: [BurstsController] })
export class BurstsModule {}
