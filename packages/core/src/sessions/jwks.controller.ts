import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Public } from '../access/require-permission.decorator.js';
import { Cached } from '../http/caching/cache-policy.js';
import { ApiObjectResponse } from '../resources/openapi/api-responses.decorator.js';
import { SigningKeys } from './signing-keys.js';
import { PublicKeysDto } from './public-key.dto.js';

/** Keys are published before they sign, and until their last token has expired: caching for minutes is safe. */
const KEYS_CACHE_CONTROL = 'public, max-age=300';

/**
 * The route of the public keys, `/.well-known/jwks.json` (RFC 7517), for the module of authentication.
 * @example @Module({ controllers: [JwksController] })
 */
@ApiTags('Authentication')
@Controller({ path: '.well-known', version: VERSION_NEUTRAL })
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Get('jwks.json')
  @Public()
  @Cached({ withCredentials: KEYS_CACHE_CONTROL, anonymous: KEYS_CACHE_CONTROL })
  @ApiObjectResponse(
    PublicKeysDto,
    'List the public keys of access tokens',
    'A JSON Web Key Set.',
    'listPublicKeys',
    'With these keys, other services can verify access tokens themselves. The list is empty if tokens are signed with a ' +
      'shared secret.',
  )
  publicKeys(): PublicKeysDto {
    return { keys: this.keys.all.flatMap(({ jwk }) => jwk ?? []) };
  }
}
