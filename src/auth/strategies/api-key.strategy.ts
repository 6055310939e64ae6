import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';

import { AuthScheme, Principal } from '../../core/index.js';
import { INVALID_API_KEY } from '../../core/auth.js';
import { ApiKeyVerifier } from '../api-keys/api-key-verifier.js';

const HEADER = 'X-API-Key';

/** Verifies the header `X-API-Key`. A repeated header is an invalid key. */
@Injectable()
@AuthScheme({
  name: 'api-key',
  header: HEADER,
  order: 30,
  errors: [INVALID_API_KEY],
  openapi: {
    type: 'apiKey',
    in: 'header',
    name: HEADER,
    description: 'The `key` that `POST /api-keys` shows once.',
  },
})
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor(private readonly keys: ApiKeyVerifier) {
    super({ header: HEADER, prefix: '' }, false);
  }

  validate(key: string): Promise<Principal | null> {
    return this.keys.verify(key);
  }
}
