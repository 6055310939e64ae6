/** The names of the base that tools around an application need, such as those of `@plinth/dev`. */

export type { RowLimit } from './access/row-limits.js';
export { accountTable } from './accounts/account.entity.js';
export { createApp } from './app/app.factory.js';
export { openDataSource } from './app/data-source.js';
export { readPostgresUrl } from './config/postgres-url.js';
export { PRODUCT } from './config/product.js';
export { loadConfig, readConfig } from './config/read-config.js';
export { dataSourceOptions } from './database/data-source-options.js';
export { RESULT_TYPES } from './database/result-types.js';
export { expressionIndexesOf } from './database/expression-index.js';
export { DatabaseSchema } from './database/database-schema.js';
export { migrate } from './database/migrate.js';
export { EntityTable } from './database/entity-table.js';
export { changesTable } from './database/totals-sql.js';
export { versionTriggerName } from './database/version-trigger.js';
export { PRIVATE_CACHE } from './http/caching/cache-policy.js';
export { createLogger } from './http/logging/logger.js';
export { CursorCodec } from './lists/cursor.js';
export { definedLists, type ListDefinition, type ListFilter } from './lists/list-definition.js';
export { readListQuery } from './lists/list-query.js';
export { listStatement } from './lists/list-statement.js';
export { resolveTotals } from './lists/list-total.js';
export { listLimits, scopedList } from './lists/scoped-list.js';
export { SEARCH_COLUMN, searchColumn } from './lists/search.js';
export { type Direction, buildSortKeys } from './lists/sort.js';
export { toSingular, withArticle } from './resources/nouns.js';
