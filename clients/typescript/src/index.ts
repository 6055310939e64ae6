export { createClient } from './client.js';
export type { Client, ClientOptions, Core, Version } from './client.js';
export { apiKey, basic, session, token } from './core/auth.js';
export type { Auth, Credentials } from './core/auth.js';
export { ApiError, ConnectionError, isError, isErrorOf, TimeoutError } from './core/errors.js';
export type { ApiErrorOf, ErrorDetail, ErrorOf } from './core/errors.js';
export { List } from './core/list.js';
export type { Pages } from './core/list.js';
export type { CustomRequest } from './core/operations.js';
export type { TransportOptions } from './core/transport.js';
export type {
  Change,
  CreateOptions,
  CursorPage,
  ListQuery,
  OffsetPage,
  Query,
  RequestOptions,
  Result,
  WriteOptions,
} from './core/types.js';
export type * from './generated/api.js';
export type { ErrorCode, ErrorStatus, OperationErrors } from './generated/errors.js';
export type * from './generated/schemas.js';
