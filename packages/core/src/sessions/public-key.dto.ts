import { ApiSchema } from '@nestjs/swagger';

import { Choice, ListOf, Text } from '../fields/fields.js';
import { PUBLIC_ALGORITHMS, type PublicAlgorithm } from './signing-keys.js';

const KEY_PARAMETER = { max: 4096, optional: true };

@ApiSchema({ name: 'PublicKey', description: 'A JSON Web Key (RFC 7517).' })
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

  @Text({ ...KEY_PARAMETER, description: 'Only for keys of type `EC`.', example: 'P-256' })
  crv?: string;

  @Text({
    ...KEY_PARAMETER,
    description: 'Only for keys of type `EC`.',
    example: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  })
  x?: string;

  @Text({
    ...KEY_PARAMETER,
    description: 'Only for keys of type `EC`.',
    example: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  })
  y?: string;

  @Text({ ...KEY_PARAMETER, description: 'Only for keys of type `RSA`.' })
  n?: string;

  @Text({ ...KEY_PARAMETER, description: 'Only for keys of type `RSA`.' })
  e?: string;
}

@ApiSchema({ name: 'PublicKeys' })
export class PublicKeysDto {
  @ListOf(PublicKeyDto, { min: 0, max: 100 })
  keys: PublicKeyDto[];
}
