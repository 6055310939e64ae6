import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';

import { Public } from '../access/require-permission.decorator.js';
import { Choice, ListOf, Text } from '../fields/fields.js';
import { Cached } from '../http/caching/cache-policy.js';
import { AnswersObject } from '../resources/openapi/answers.decorator.js';
import { PUBLIC_ALGORITHMS, type PublicAlgorithm, SigningKeys } from './access-tokens.js';

const NUMBER = { max: 4096, optional: true };

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

  @Text({ ...NUMBER, description: 'EC only.', example: 'P-256' })
  crv?: string;

  @Text({ ...NUMBER, description: 'EC only.', example: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU' })
  x?: string;

  @Text({ ...NUMBER, description: 'EC only.', example: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' })
  y?: string;

  @Text({ ...NUMBER, description: 'RSA only.' })
  n?: string;

  @Text({ ...NUMBER, description: 'RSA only.' })
  e?: string;
}

@ApiSchema({ name: 'PublicKeys' })
export class PublicKeysDto {
  @ListOf(PublicKeyDto, { min: 0, max: 100 })
  keys: PublicKeyDto[];
}

/** Keys are published before they sign, and until their last token has expired: caching for minutes is safe. */
const KEYS = 'public, max-age=300';

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
  @Cached({ withCredentials: KEYS, anonymous: KEYS })
  @AnswersObject(
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
