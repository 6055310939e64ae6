import { Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { minutes, seconds, SkipThrottle, Throttle } from '@nestjs/throttler';

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
