/** The public names of the base. `public-api.txt` has their signatures. */

// A second copy that a module of the application loads is known by it.
import './app/copies.js';
// It declares the properties that the base adds to requests of Fastify.
import './routes/request.js';

export {
  INVALID_TOKEN,
  PERMISSION_DENIED,
  TOKEN_EXPIRED,
  permissionDenied,
  assertPermission,
} from './access/access.errors.js';
export { Caller, CurrentPrincipal, CurrentUser } from './access/caller.js';
export { assertManagesUsers } from './accounts/current-role.js';
export {
  CALLER,
  denialsOnParent,
  grantsOf,
  GrantSources,
  grantsOn,
  grantsOnParent,
} from './access/grant-sources.js';
export { type Principal } from './access/principal.js';
export { Public, RequirePermission } from './access/require-permission.decorator.js';
export { AuthScheme, type SchemeStrategy } from './access/schemes/auth-schemes.js';
export { CredentialStrategy, bearerChallenge, bearerToken } from './access/schemes/credential.strategy.js';
export { type AccessScope, EVERYTHING } from './access/access-scope.js';
export {
  ALL_ROWS,
  type ParentRows,
  type Rows,
  type RowsCaller,
  type RowsOfCaller,
  rowsOf,
} from './access/row-limits.js';
export { PlinthModule } from './app/plinth.module.js';
export { type Config } from './config/config.js';
export {
  type AccessDefinition,
  type AttributeValue,
  type Attributes,
  type DeclaredAccess,
  type Permission,
  ROLES,
  type ResourceType,
  type Role,
  defineAccess,
  permissionsOf,
} from './config/define-access.js';
export { env, secret } from './config/setting-schemas.js';
export { ConfigError, readSettings } from './config/read-config.js';
export { ApiDocs } from './docs/api-docs.js';
export { BatchLoader } from './database/batch-loader.js';
export { buildIndex } from './database/build-index.js';
export { type SqlExecutor, prepared } from './database/sql-executor.js';
export { Database } from './database/database.js';
export { ExpressionIndex } from './database/expression-index.js';
export { MigrationsModule } from './database/migrations.module.js';
export { equalsAnySql } from './database/entity-table.js';
export { type Totals } from './database/totals-sql.js';
export { createTotals, dropTotals } from './database/create-totals.js';
export { NEXT_VERSION, createVersionTrigger } from './database/version-trigger.js';
export { BodyOf, PatchOf, PickOf } from './fields/derive.js';
export { canonicalEmail } from './fields/email.js';
export { ChoiceArray, Json, TextArray } from './fields/collections.js';
export {
  Choice,
  DateOnly,
  Decimal,
  Email,
  Flag,
  Id,
  Integer,
  ListOf,
  Money,
  Nested,
  Password,
  Text,
  Timestamp,
  Url,
  date,
  decimal,
  integer,
  text,
  timestamp,
} from './fields/fields.js';
export { ParseIdPipe } from './fields/parse-id.pipe.js';
export type { ApiVersion, ApiVersions } from './http/negotiation/api-versions.js';
export { PUBLIC_CACHE, Cached } from './http/caching/cache-policy.js';
export { UNCONDITIONAL } from './http/caching/preconditions.js';
export { ApiError, type ErrorDetail } from './http/errors/api-error.js';
export { type ErrorType, defineErrors } from './http/errors/define-errors.js';
export { UNPROCESSABLE_ENTITY, genericError } from './http/errors/http.errors.js';
export { ProducedType, Produces } from './http/negotiation/produces.decorator.js';
export { GrantsService } from './grants/grants.service.js';
export { contains } from './lists/contains.js';
export { csvLine } from './lists/csv.js';
export { anyOf, atLeast, atMost, equals, lessThan, where } from './lists/filters.js';
export { type Facets } from './lists/facets.js';
export { defineList } from './lists/list-definition.js';
export { ListQuery } from './lists/list-parameters.decorator.js';
export { PageInterceptor } from './lists/page.interceptor.js';
export { type Page, mapRows } from './lists/page.js';
export { Batch } from './resources/batch/batch.decorator.js';
export { type BatchResults } from './resources/batch/batch.js';
export { type JobOptions } from './jobs/job-options.js';
export { Jobs } from './jobs/jobs.js';
export { Processor, type ProcessorOptions } from './jobs/processor.decorator.js';
export { type Job, WorkerHost } from './jobs/worker-host.js';
export { type LinkValues, type MailContent, MailTemplates } from './mail/mail-templates.js';
export { renderMail } from './mail/render-mail.js';
export { type Mail, type MailAttachment } from './mail/mail-transport.js';
export { Mails } from './mail/mails.js';
export { NeedsMail } from './mail/needs-mail.decorator.js';
export { PublicUrl } from './mail/public-url.js';
export { BeforeReplay } from './resources/idempotency/idempotency.interceptor.js';
export { ApiErrorResponse, ApiObjectResponse } from './resources/openapi/api-responses.decorator.js';
export { FacetsQuery } from './resources/openapi/facets.decorator.js';
export { ResourceRepository } from './resources/resource-repository.js';
export { Resource } from './resources/resource.decorator.js';
export { RowInterceptor } from './resources/row.interceptor.js';
export { ResourceEntity } from './resources/resource.entity.js';
export { type Key, type ResourceDefinition } from './resources/resource.js';
export { ResourceReads, ResourceService } from './resources/resource.service.js';
export { Preconditions, SingleStatement, Transaction } from './resources/write.decorators.js';
export { type GatewayClient } from './websockets/gateway.adapter.js';
