import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Public } from '../access/require-permission.decorator.js';
import { Cached } from '../http/caching/cache-policy.js';
import { ApiObjectResponse } from '../resources/openapi/api-responses.decorator.js';
import { SigningKeys } from './signing-keys.js';
import { PublicKeysDto } from './public-key.dto.js';

/**
 * Caches may be some minutes behind. During a rotation, a key is published before it signs tokens, and stays published
 * until its last token has expired.
 */
const KEYS_CACHE_CONTROL = 'public, max-age=300';

/**
 * Publishes the public keys of access tokens at `/.well-known/jwks.json` (RFC 7517), so that other services can verify
 * the tokens themselves. Add it to the controllers of your authentication module.
 *
 * Do not add it if tokens are signed with `JWT_SECRET`: a shared secret has no public key, so the list would be empty.
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
