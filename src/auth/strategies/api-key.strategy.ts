import { Injectable } from '@nestjs/common';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';

import { ApiKeyVerifier } from '../api-keys/api-key-verifier.js';

/** Verifies the header `X-API-Key`. A repeated header is an invalid key. */
@Injectable()
export class ApiKeyStrategy extends HeaderAPIKeyStrategy {
  constructor(keys: ApiKeyVerifier) {
    super({ header: 'X-API-Key', prefix: '' }, false, (key, done) => {
      keys.verify(key).then(
        (principal) => {
          done(null, principal ?? undefined);
        },
        (error: unknown) => {
          done(error as Error);
        },
      );
    });
  }
}
