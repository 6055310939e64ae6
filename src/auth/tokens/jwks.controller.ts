import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Cached, Public } from '../../core/index.js';
import { AnswersObject } from '../../core/auth.js';
import { PublicKeysDto } from './jwks.dto.js';
import { SigningKeys } from './signing-keys.js';

/** Keys are published before they sign, and until their last token has expired: caching for minutes is safe. */
const KEYS = 'public, max-age=300';

/** The public keys of access tokens; empty if they are signed with a secret. */
@ApiTags('Authentication')
@Controller({ path: '.well-known', version: VERSION_NEUTRAL })
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Get('jwks.json')
  @Public()
  @Cached({ withCredentials: KEYS, anonymous: KEYS })
  @AnswersObject(
    PublicKeysDto,
    'List the public keys of access tokens',
    'A JSON Web Key Set.',
    'listPublicKeys',
  )
  publicKeys(): PublicKeysDto {
    return { keys: this.keys.all.flatMap(({ jwk }) => jwk ?? []) };
  }
}
