import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Public } from '../../access/require-permission.decorator.js';
import { Cached } from '../../http/caching/cache-policy.js';
import { AnswersObject } from '../../resources/openapi/answers.decorator.js';
import { PublicKeysDto } from './jwks.dto.js';
import { SigningKeys } from './signing-keys.js';

/** Keys are put here before they sign, and stay until their last token has expired: some minutes do no harm. */
const KEYS = 'public, max-age=300';

/** With what others verify access tokens; empty where they are signed with a secret. */
@ApiTags('Authentication')
@Controller({ path: '.well-known', version: VERSION_NEUTRAL })
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Get('jwks.json')
  @Public()
  @Cached({ withCredentials: KEYS, anonymous: KEYS })
  @AnswersObject(PublicKeysDto, 'The public keys of access tokens')
  publicKeys(): PublicKeysDto {
    return { keys: this.keys.all.flatMap(({ jwk }) => jwk ?? []) };
  }
}
