import { Controller, Get, Injectable, Module, Scope, UseGuards } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';

import { INVALID_API_KEY } from '../../src/access/authentication.errors.js';
import { Public, RequirePermission } from '../../src/access/require-permission.decorator.js';
import { AuthScheme, AuthSchemeOptions } from '../../src/access/schemes/auth-scheme.decorator.js';
import { CredentialStrategy } from '../../src/access/schemes/credential.strategy.js';
import { createDatabase } from '../support/databases.js';
import { startInProcess } from '../support/own-app.js';

describe('schemes and guards that contradict each other stop the start', () => {
  const options: AuthSchemeOptions = {
    name: 'odd',
    header: 'X-Odd',
    order: 60,
    errors: [INVALID_API_KEY],
    openapi: { type: 'apiKey', in: 'header', name: 'X-Odd' },
  };

  function scheme(
    changes: Partial<AuthSchemeOptions>,
    passportName = 'odd',
    scope = Scope.DEFAULT,
  ): new () => object {
    @Injectable({ scope })
    @AuthScheme({ ...options, ...changes } as AuthSchemeOptions)
    class OddStrategy extends PassportStrategy(CredentialStrategy, passportName) {
      constructor() {
        super(() => null);
      }

      validate(): null {
        return null;
      }
    }
    return OddStrategy;
  }

  function guarded(...decorators: MethodDecorator[]): new () => object {
    @Controller({ path: 'odd', version: '1' })
    class OddController {
      @Get()
      get(): object {
        return {};
      }
    }
    const descriptor = Object.getOwnPropertyDescriptor(OddController.prototype, 'get') as PropertyDescriptor;
    for (const decorate of decorators) decorate(OddController.prototype, 'get', descriptor);
    return OddController;
  }

  it.each<[string, { providers?: (new () => object)[]; controllers?: (new () => object)[] }, RegExp]>([
    [
      'an unknown name',
      { controllers: [guarded(UseGuards(AuthGuard('nobody')), RequirePermission('read'))] },
      /OddController\.get: AuthGuard takes a scheme .*, not "nobody"/,
    ],
    [
      'an unknown name among known ones, in a guard of the team',
      {
        controllers: [
          guarded(UseGuards(class Own extends AuthGuard(['basic', 'nobody2']) {}), RequirePermission('read')),
        ],
      },
      /not "nobody2"/,
    ],
    [
      'two guards that no caller passes',
      {
        controllers: [guarded(UseGuards(AuthGuard('basic'), AuthGuard('bearer')), RequirePermission('read'))],
      },
      /leave no scheme/,
    ],
    [
      'a public route',
      { controllers: [guarded(UseGuards(AuthGuard('basic')), Public())] },
      /a public route takes no AuthGuard of basic/,
    ],
    ['a name taken twice', { providers: [scheme({}), scheme({})] }, /"odd": OddStrategy has that name too/],
    [
      'a header of which two schemes take whatever is there',
      { providers: [scheme({ header: 'Authorization' })] },
      /BearerStrategy and OddStrategy both take whatever is in the header Authorization/,
    ],
    [
      'neither header nor cookie',
      { providers: [scheme({ header: undefined })] },
      /either a header or a cookie/,
    ],
    [
      'an instance for each request',
      { providers: [scheme({}, 'odd', Scope.REQUEST)] },
      /takes a PassportStrategy class of the default scope/,
    ],
    ['another name for Passport', { providers: [scheme({}, 'even')] }, /is not PassportStrategy\(…, 'odd'\)/],
  ])('%s', async (_name, metadata, message) => {
    @Module(metadata)
    class OddModule {}
    const database = await createDatabase();
    await expect(startInProcess({}, database, [OddModule])).rejects.toThrow(message);
    await database.drop();
  });
});
