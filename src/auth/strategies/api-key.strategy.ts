import { Injectable } from '@nestjs/common';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';

import { ProvedKeys } from '../api-keys/proved-keys.js';

/** Proves the key of the header `X-API-Key`. Sent twice, it is none. */
@Injectable()
export class ApiKeyStrategy extends HeaderAPIKeyStrategy {
  constructor(keys: ProvedKeys) {
    super({ header: 'X-API-Key', prefix: '' }, false, (key, done) => {
      keys.find(key).then(
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
