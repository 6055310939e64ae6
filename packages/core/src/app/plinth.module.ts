import { DynamicModule, Global, Module, Type } from '@nestjs/common';
import { APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

import { INVALID_TOKEN } from '../access/access.errors.js';
import { setUserEntity } from '../access/row-limits.js';
import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { accountClass } from '../accounts/account.entity.js';
import { AccountToken } from '../accounts/account-token.entity.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { FirstAdmin } from '../accounts/first-admin.js';
import { Passwords } from '../accounts/passwords.js';
import { AccountLimits } from '../accounts/account-limits.js';
import { AccountMails } from '../accounts/account-mails.js';
import { Recovery } from '../accounts/recovery.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { ApiKeysRepository } from '../api-keys/api-keys.repository.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ApiDocs } from '../docs/api-docs.js';
import { MigrationsModule } from '../database/migrations.module.js';
import { Database } from '../database/database.js';
import { Migrations } from '../database/migrate.js';
import { DtoValidationPipe } from '../fields/validation.pipe.js';
import { AccessGrant } from '../grants/grant.entity.js';
import { AccessGrantsController } from '../grants/grants.controller.js';
import { GrantsRepository } from '../grants/grants.repository.js';
import { GrantsService } from '../grants/grants.service.js';
import { API_VERSIONS, ApiVersions } from '../http/negotiation/api-versions.js';
import { RateLimitModule, ThrottlerDefinition } from '../http/rate-limit/rate-limit.module.js';
import { JobQueues } from '../jobs/job-queues.js';
import { JobWorkers } from '../jobs/job-workers.js';
import { Jobs } from '../jobs/jobs.js';
import { MailProcessor } from '../mail/mail.processor.js';
import { MailTemplates } from '../mail/mail-templates.js';
import { Mails } from '../mail/mails.js';
import { PublicUrl } from '../mail/public-url.js';
import { IdempotencyKeyEntity } from '../resources/idempotency/idempotency-key.entity.js';
import { IdempotencyStore } from '../resources/idempotency/idempotency-store.js';
import { AccessTokens } from '../sessions/access-tokens.js';
import { SigningKeys } from '../sessions/signing-keys.js';
import { Login, LoginAddressEntity, RefreshTokenEntity, SessionEntity } from '../sessions/login.entity.js';
import { LoginsRepository } from '../sessions/logins.repository.js';
import { LoginsService } from '../sessions/logins.service.js';
import { PasswordVerifier } from '../sessions/password-verifier.js';
import { sessionStoreProvider } from '../sessions/session-stores.js';

/** The options of `PlinthModule.forRoot()`. */
export interface PlinthOptions {
  /** The application's migrations, which run after those of the base. */
  readonly migrations: Migrations;
  /** The application's texts for the OpenAPI document and its pages. */
  readonly docs: ApiDocs;
  /** The versions of the API. If it is omitted, version 1 is the only one. */
  readonly versions?: ApiVersions;
  /** A subclass of `MailTemplates` that changes the wording of the base's mails. */
  readonly mails?: Type<MailTemplates>;
  /** Request limits in addition to `RATE_LIMIT`, per caller and route, and the storage that counts requests. */
  readonly throttler?: ThrottlerDefinition;
}

const BASE_ENTITIES = [
  Login,
  LoginAddressEntity,
  SessionEntity,
  RefreshTokenEntity,
  AccountToken,
  ApiKey,
  AccessGrant,
  IdempotencyKeyEntity,
];

/** Services that the strategies, controllers and services of an application inject. */
const BASE_SERVICES = [
  GrantsService,
  Jobs,
  Mails,
  PublicUrl,
  AccountLimits,
  AccountMails,
  Recovery,
  Passwords,
  PasswordVerifier,
  LoginsService,
  ApiKeysService,
  AccessTokens,
  SigningKeys,
];

/**
 * The features of the base. The application's `AppModule` imports it once, by `forRoot()`.
 * @example @Module({ imports: [PlinthModule.forRoot({ migrations: MIGRATIONS, docs: DOCS }), ProductsModule] })
 */
@Global()
@Module({
  imports: [DiscoveryModule, RateLimitModule, TypeOrmModule.forFeature(BASE_ENTITIES)],
  controllers: [AccessGrantsController],
  providers: [
    // The global filter, `ApiExceptionFilter`, is in root.module.ts.
    { provide: APP_PIPE, useClass: DtoValidationPipe },
    IdempotencyStore,
    AuthSchemes,
    {
      provide: AccountsRepository,
      inject: [Database],
      useFactory: (database: Database) =>
        new AccountsRepository(database, { entity: accountClass(), notFound: INVALID_TOKEN }),
    },
    ...BASE_SERVICES,
    JobQueues,
    JobWorkers,
    MailProcessor,
    FirstAdmin,
    GrantsRepository,
    LoginsRepository,
    ApiKeysRepository,
    sessionStoreProvider,
  ],
  exports: [...BASE_SERVICES, AccountsRepository, IdempotencyStore],
})
export class PlinthModule {
  /**
   * Configures the base for an application.
   * @example @Module({ imports: [PlinthModule.forRoot({ migrations: MIGRATIONS, docs: DOCS }), ProductsModule] })
   * @throws Error if the application declares no account entity
   */
  static forRoot({
    migrations,
    docs,
    versions = { 1: {} },
    mails = MailTemplates,
    throttler = {},
  }: PlinthOptions): DynamicModule {
    // Checked first: a failed database connection is retried, this error should not be.
    setUserEntity(accountClass());
    return {
      module: PlinthModule,
      imports: [MigrationsModule.forFeature(...migrations), RateLimitModule.forRoot(throttler)],
      providers: [
        { provide: ApiDocs, useValue: docs },
        { provide: API_VERSIONS, useValue: versions },
        { provide: MailTemplates, useClass: mails },
      ],
    };
  }
}
