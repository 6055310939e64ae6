import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { AuthScheme, Principal } from '@plinth/core';
import { ApiKeysService, INVALID_API_KEY } from '@plinth/core/auth';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';

const HEADER = 'X-API-Key';

/** Verifies the header `X-API-Key`. The key is looked up for each request, so a revoked key is refused at once. */
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
    description: 'The `key` from the response of `POST /api-keys`, which shows it only once.',
  },
})
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor(private readonly keys: ApiKeysService) {
    super({ header: HEADER, prefix: '' }, false);
  }

  validate(secret: string): Promise<Principal | null> {
    return this.keys.authenticate(secret);
  }
}
