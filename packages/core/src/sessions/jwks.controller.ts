import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';

import { Public } from '../access/require-permission.decorator.js';
import { Choice, ListOf, Text } from '../fields/fields.js';
import { Cached } from '../http/caching/cache-policy.js';
import { ApiObjectResponse } from '../resources/openapi/api-responses.decorator.js';
import { PUBLIC_ALGORITHMS, type PublicAlgorithm, SigningKeys } from './access-tokens.js';

const KEY_PARAMETER = { max: 4096, optional: true };

@ApiSchema({ name: 'PublicKey', description: 'RFC 7517.' })
export class PublicKeyDto {
  @Choice({ of: ['EC', 'RSA'], example: 'EC' })
  kty: string;

  @Text({
    max: 64,
    description: 'The `kid` in the header of tokens that this key verifies.',
    example: 'Wq0b1n5m8f2c',
  })
  kid: string;

  @Choice({ of: ['sig'], example: 'sig' })
  use: 'sig';

  @Choice({ of: PUBLIC_ALGORITHMS, example: 'ES256' })
  alg: PublicAlgorithm;

  @Text({ ...KEY_PARAMETER, description: 'EC only.', example: 'P-256' })
  crv?: string;

  @Text({ ...KEY_PARAMETER, description: 'EC only.', example: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU' })
  x?: string;

  @Text({ ...KEY_PARAMETER, description: 'EC only.', example: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' })
  y?: string;

  @Text({ ...KEY_PARAMETER, description: 'RSA only.' })
  n?: string;

  @Text({ ...KEY_PARAMETER, description: 'RSA only.' })
  e?: string;
}

@ApiSchema({ name: 'PublicKeys' })
export class PublicKeysDto {
  @ListOf(PublicKeyDto, { min: 0, max: 100 })
  keys: PublicKeyDto[];
}

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
    'Another service verifies access tokens by these keys, and asks nothing of this one. The list is empty where tokens are ' +
      'signed by a shared secret.',
  )
  publicKeys(): PublicKeysDto {
    return { keys: this.keys.all.flatMap(({ jwk }) => jwk ?? []) };
  }
}
