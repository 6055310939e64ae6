export { defineClient } from './client.js';
export type { ClientOptions, Core, DefinedClient, Operations } from './client.js';
export { apiKey, basic, session, token } from './auth.js';
export type { Auth, Credentials } from './auth.js';
export { edit } from './edit.js';
export type { Edit, Shown } from './edit.js';
export { ApiError, ConnectionError, TimeoutError } from './errors.js';
export type { ApiErrorOf, ErrorDetail } from './errors.js';
export { List } from './list.js';
export type { Pages } from './list.js';
export type { CustomRequest, Operation } from './operations.js';
export type { TransportOptions } from './transport.js';
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
} from './types.js';
