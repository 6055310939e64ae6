import { Injectable, Module, Scope } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';

import { INVALID_API_KEY } from '../../src/core/access/access.errors.js';
import { AuthScheme, AuthSchemeOptions } from '../../src/core/access/schemes/auth-scheme.decorator.js';
import { CredentialStrategy } from '../../src/core/access/schemes/credential.strategy.js';
import { createDatabase } from '../support/databases.js';
import { startInProcess } from '../support/own-app.js';

describe('schemes that contradict themselves stop the start', () => {
  const options: AuthSchemeOptions = {
    name: 'odd',
    header: 'X-Odd',
    order: 60,
    errors: [INVALID_API_KEY],
    openapi: { type: 'apiKey', in: 'header', name: 'X-Odd' },
  };

  function scheme(changes: Partial<AuthSchemeOptions>, scope = Scope.DEFAULT): new () => object {
    @Injectable({ scope })
    @AuthScheme({ ...options, ...changes } as AuthSchemeOptions)
    class OddStrategy extends PassportStrategy(CredentialStrategy, 'odd') {
      constructor() {
        super(() => null);
      }

      validate(): null {
        return null;
      }
    }
    return OddStrategy;
  }

  it.each<[string, (new () => object)[], RegExp]>([
    ['neither header nor cookie', [scheme({ header: undefined })], /either a header or a cookie/],
    [
      'an instance for each request',
      [scheme({}, Scope.REQUEST)],
      /takes a PassportStrategy class of the default scope/,
    ],
  ])('%s', async (_name, providers, message) => {
    @Module({ providers })
    class OddModule {}
    const database = await createDatabase();
    await expect(startInProcess({}, database, [OddModule])).rejects.toThrow(message);
    await database.drop();
  });
});
