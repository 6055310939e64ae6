import { ApiSchema } from '@nestjs/swagger';

import { Choice, ListOf, Text } from '../../core/index.js';

/** Of keys with a public half. */
export const PUBLIC_ALGORITHMS = ['ES256', 'RS256'] as const;
export type PublicAlgorithm = (typeof PUBLIC_ALGORITHMS)[number];

const number = (description: string, example?: string) => ({
  max: 4096,
  optional: true,
  description,
  ...(example !== undefined && { example }),
});

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

  @Text(number('EC only.', 'P-256'))
  crv?: string;

  @Text(number('EC only.', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'))
  x?: string;

  @Text(number('EC only.', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'))
  y?: string;

  @Text(number('RSA only.'))
  n?: string;

  @Text(number('RSA only.'))
  e?: string;
}

@ApiSchema({ name: 'PublicKeys' })
export class PublicKeysDto {
  @ListOf(PublicKeyDto, { min: 0, max: 100 })
  keys: PublicKeyDto[];
}
