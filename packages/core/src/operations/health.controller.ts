import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';

import { Public } from '../access/require-permission.decorator.js';
import { Choice } from '../fields/fields.js';
import { Cached, NO_STORE } from '../http/caching/cache-policy.js';
import { ApiError } from '../http/errors/api-error.js';
import { defineErrors } from '../http/errors/define-errors.js';
import { ApiObjectResponse, ApiErrorResponse } from '../resources/openapi/api-responses.decorator.js';
import { notReady, Readiness } from './readiness.js';

export const { NOT_READY } = defineErrors({
  NOT_READY: [503, 'The instance cannot serve requests. The message says why.'],
});

@ApiSchema({ name: 'Health' })
export class HealthDto {
  @Choice({ of: ['ok'] })
  status: 'ok';
}

@ApiTags('Health')
@Public()
@Cached(NO_STORE)
@SkipThrottle()
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @ApiObjectResponse(
    HealthDto,
    'Whether the process runs',
    'The process is running.',
    'getLiveness',
    'For the orchestrator, which restarts a process that does not respond. The response does not depend on anything else, not even on the database.',
  )
  live(): HealthDto {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiObjectResponse(
    HealthDto,
    'Whether the process can serve requests',
    'The process can serve requests.',
    'getReadiness',
    'For load balancers, which send requests only to processes that respond 200. The `message` of a 503 says what is missing.',
  )
  @ApiErrorResponse(NOT_READY)
  async ready(): Promise<HealthDto> {
    const faults = await this.readiness.check();
    if (faults.length === 0) return { status: 'ok' };
    throw new ApiError(NOT_READY, notReady(faults));
  }
}
