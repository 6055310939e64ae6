// Generated from the OpenAPI document by `plinth client`. Changes are overwritten.

import type { ApiErrorOf } from '@plinth/client';

/** The status of each code. */
export interface ErrorStatus {
  ACCESS_GRANT_NOT_FOUND: 404;
  API_KEY_LIMIT_REACHED: 409;
  API_KEY_NOT_FOUND: 404;
  API_VERSION_RETIRED: 410;
  AUTHENTICATION_REQUIRED: 401;
  BAD_REQUEST: 400;
  CROSS_ORIGIN_REJECTED: 403;
  DATABASE_ERROR: 502;
  DATABASE_TIMEOUT: 504;
  DATABASE_UNAVAILABLE: 503;
  EMAIL_ALREADY_EXISTS: 409;
  EXPECTATION_FAILED: 417;
  HEADERS_TOO_LARGE: 431;
  HTTPS_REQUIRED: 403;
  IDEMPOTENCY_KEY_IN_USE: 409;
  IDEMPOTENCY_KEY_REUSED: 422;
  INTERNAL_ERROR: 500;
  INVALID_API_KEY: 401;
  INVALID_CREDENTIALS: 401;
  INVALID_CURSOR: 400;
  INVALID_HOST: 400;
  INVALID_ID: 400;
  INVALID_IDEMPOTENCY_KEY: 400;
  INVALID_JSON: 400;
  INVALID_QUERY: 400;
  INVALID_RESET_TOKEN: 400;
  INVALID_SESSION: 401;
  INVALID_SORT: 400;
  INVALID_STATUS_TRANSITION: 409;
  INVALID_TOKEN: 401;
  INVALID_URL: 400;
  INVALID_VERIFICATION_TOKEN: 400;
  LAST_ADMIN: 409;
  MAINTENANCE: 503;
  NOT_ACCEPTABLE: 406;
  ORDER_ITEM_ALREADY_EXISTS: 409;
  ORDER_ITEM_COUNT: 409;
  ORDER_ITEM_NOT_FOUND: 404;
  ORDER_NOT_DELETABLE: 409;
  ORDER_NOT_EDITABLE: 409;
  ORDER_NOT_FOUND: 404;
  ORDER_TOTAL_TOO_LARGE: 422;
  OVERLOADED: 503;
  PAYLOAD_TOO_LARGE: 413;
  PERMISSION_DENIED: 403;
  PRECONDITION_FAILED: 412;
  PRODUCT_NOT_FOUND: 404;
  PRODUCT_OUT_OF_STOCK: 409;
  RATE_LIMIT_EXCEEDED: 429;
  REQUEST_TIMEOUT: 408;
  REVIEW_ALREADY_EXISTS: 409;
  REVIEW_NOT_FOUND: 404;
  SESSION_NOT_FOUND: 404;
  SESSION_STORE_UNAVAILABLE: 503;
  TOKEN_EXPIRED: 401;
  UNPROCESSABLE_ENTITY: 422;
  UNSUPPORTED_MEDIA_TYPE: 415;
  URI_TOO_LONG: 414;
  USER_HAS_ORDERS: 409;
  USER_NOT_FOUND: 404;
  VALIDATION_FAILED: 400;
}

/** The codes of all errors. */
export type ErrorCode = keyof ErrorStatus;

/** The codes that every operation can answer. */
export type CommonError =
  | 'API_VERSION_RETIRED'
  | 'BAD_REQUEST'
  | 'DATABASE_ERROR'
  | 'DATABASE_TIMEOUT'
  | 'DATABASE_UNAVAILABLE'
  | 'EXPECTATION_FAILED'
  | 'HEADERS_TOO_LARGE'
  | 'HTTPS_REQUIRED'
  | 'INTERNAL_ERROR'
  | 'INVALID_HOST'
  | 'INVALID_QUERY'
  | 'INVALID_URL'
  | 'MAINTENANCE'
  | 'NOT_ACCEPTABLE'
  | 'OVERLOADED'
  | 'PAYLOAD_TOO_LARGE'
  | 'PRECONDITION_FAILED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'REQUEST_TIMEOUT'
  | 'SESSION_STORE_UNAVAILABLE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'URI_TOO_LONG';

type UnauthorizedCode =
  | 'AUTHENTICATION_REQUIRED'
  | 'INVALID_API_KEY'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_SESSION'
  | 'INVALID_TOKEN'
  | 'TOKEN_EXPIRED';
type WriteForbiddenCode = 'CROSS_ORIGIN_REJECTED' | 'PERMISSION_DENIED';
type InvalidListCode = 'INVALID_CURSOR' | 'INVALID_SORT';
type InvalidCreationCode = 'INVALID_IDEMPOTENCY_KEY' | 'INVALID_JSON' | 'VALIDATION_FAILED';
type UnprocessableCreationCode = 'IDEMPOTENCY_KEY_REUSED' | 'UNPROCESSABLE_ENTITY';
type InvalidChangeCode = 'INVALID_ID' | 'INVALID_JSON' | 'VALIDATION_FAILED';
type InvalidDeletionCode = 'INVALID_ID' | 'INVALID_JSON';
type InvalidNestedListCode = 'INVALID_CURSOR' | 'INVALID_ID' | 'INVALID_SORT';
type InvalidNestedCreationCode =
  | 'INVALID_ID'
  | 'INVALID_IDEMPOTENCY_KEY'
  | 'INVALID_JSON'
  | 'VALIDATION_FAILED';

/** The codes of each operation. */
export interface OperationErrors {
  'authentication.passwordReset': CommonError | 'INVALID_JSON' | 'UNPROCESSABLE_ENTITY' | 'VALIDATION_FAILED';
  'authentication.confirm':
    | CommonError
    | 'INVALID_JSON'
    | 'INVALID_RESET_TOKEN'
    | 'UNPROCESSABLE_ENTITY'
    | 'VALIDATION_FAILED';
  'authentication.emailVerification': CommonError | UnauthorizedCode | WriteForbiddenCode | 'INVALID_JSON';
  'authentication.confirmOfEmailVerification':
    | CommonError
    | 'INVALID_JSON'
    | 'INVALID_VERIFICATION_TOKEN'
    | 'UNPROCESSABLE_ENTITY'
    | 'VALIDATION_FAILED';
  'products.list':
    | CommonError
    | InvalidListCode
    | UnauthorizedCode
    | 'PERMISSION_DENIED'
    | 'UNPROCESSABLE_ENTITY';
  'products.create':
    | CommonError
    | InvalidCreationCode
    | UnauthorizedCode
    | UnprocessableCreationCode
    | WriteForbiddenCode
    | 'IDEMPOTENCY_KEY_IN_USE';
  'products.facets': CommonError | UnauthorizedCode | 'PERMISSION_DENIED' | 'UNPROCESSABLE_ENTITY';
  'products.get': CommonError | UnauthorizedCode | 'INVALID_ID' | 'PERMISSION_DENIED' | 'PRODUCT_NOT_FOUND';
  'products.replace':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'PRODUCT_NOT_FOUND'
    | 'UNPROCESSABLE_ENTITY';
  'products.patch':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'PRODUCT_NOT_FOUND'
    | 'UNPROCESSABLE_ENTITY';
  'products.update':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'PRODUCT_NOT_FOUND'
    | 'UNPROCESSABLE_ENTITY';
  'products.delete':
    | CommonError
    | InvalidDeletionCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'PRODUCT_NOT_FOUND';
  'products.batch':
    | CommonError
    | InvalidCreationCode
    | UnauthorizedCode
    | UnprocessableCreationCode
    | WriteForbiddenCode
    | 'IDEMPOTENCY_KEY_IN_USE'
    | 'PRODUCT_NOT_FOUND';
  'reviews.list':
    | CommonError
    | InvalidListCode
    | UnauthorizedCode
    | 'PERMISSION_DENIED'
    | 'UNPROCESSABLE_ENTITY';
  'reviews.get': CommonError | UnauthorizedCode | 'INVALID_ID' | 'PERMISSION_DENIED' | 'REVIEW_NOT_FOUND';
  'reviews.listOfProduct':
    | CommonError
    | InvalidNestedListCode
    | UnauthorizedCode
    | 'PERMISSION_DENIED'
    | 'PRODUCT_NOT_FOUND'
    | 'UNPROCESSABLE_ENTITY';
  'reviews.create':
    | CommonError
    | InvalidNestedCreationCode
    | UnauthorizedCode
    | UnprocessableCreationCode
    | WriteForbiddenCode
    | 'IDEMPOTENCY_KEY_IN_USE'
    | 'PRODUCT_NOT_FOUND'
    | 'REVIEW_ALREADY_EXISTS';
  'reviews.getOfProduct':
    | CommonError
    | UnauthorizedCode
    | 'INVALID_ID'
    | 'PERMISSION_DENIED'
    | 'REVIEW_NOT_FOUND';
  'reviews.replace':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'REVIEW_NOT_FOUND'
    | 'UNPROCESSABLE_ENTITY';
  'reviews.patch':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'REVIEW_NOT_FOUND'
    | 'UNPROCESSABLE_ENTITY';
  'reviews.update':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'REVIEW_NOT_FOUND'
    | 'UNPROCESSABLE_ENTITY';
  'reviews.delete':
    | CommonError
    | InvalidDeletionCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'REVIEW_NOT_FOUND';
  'users.list':
    | CommonError
    | InvalidListCode
    | UnauthorizedCode
    | 'PERMISSION_DENIED'
    | 'UNPROCESSABLE_ENTITY';
  'users.create':
    | CommonError
    | InvalidCreationCode
    | UnauthorizedCode
    | UnprocessableCreationCode
    | WriteForbiddenCode
    | 'EMAIL_ALREADY_EXISTS'
    | 'IDEMPOTENCY_KEY_IN_USE';
  'users.me': CommonError | UnauthorizedCode | 'PERMISSION_DENIED' | 'USER_NOT_FOUND';
  'users.get': CommonError | UnauthorizedCode | 'INVALID_ID' | 'PERMISSION_DENIED' | 'USER_NOT_FOUND';
  'users.replace':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'EMAIL_ALREADY_EXISTS'
    | 'LAST_ADMIN'
    | 'UNPROCESSABLE_ENTITY'
    | 'USER_NOT_FOUND';
  'users.patch':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'EMAIL_ALREADY_EXISTS'
    | 'LAST_ADMIN'
    | 'UNPROCESSABLE_ENTITY'
    | 'USER_NOT_FOUND';
  'users.update':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'EMAIL_ALREADY_EXISTS'
    | 'LAST_ADMIN'
    | 'UNPROCESSABLE_ENTITY'
    | 'USER_NOT_FOUND';
  'users.delete':
    | CommonError
    | InvalidDeletionCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'LAST_ADMIN'
    | 'USER_HAS_ORDERS'
    | 'USER_NOT_FOUND';
  'orders.list':
    | CommonError
    | InvalidListCode
    | UnauthorizedCode
    | 'PERMISSION_DENIED'
    | 'UNPROCESSABLE_ENTITY';
  'orders.get': CommonError | UnauthorizedCode | 'INVALID_ID' | 'ORDER_NOT_FOUND' | 'PERMISSION_DENIED';
  'orders.listOfUser':
    | CommonError
    | InvalidNestedListCode
    | UnauthorizedCode
    | 'PERMISSION_DENIED'
    | 'UNPROCESSABLE_ENTITY'
    | 'USER_NOT_FOUND';
  'orders.create':
    | CommonError
    | InvalidNestedCreationCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'IDEMPOTENCY_KEY_IN_USE'
    | 'IDEMPOTENCY_KEY_REUSED'
    | 'ORDER_TOTAL_TOO_LARGE'
    | 'PRODUCT_OUT_OF_STOCK'
    | 'UNPROCESSABLE_ENTITY'
    | 'USER_NOT_FOUND';
  'orders.getOfUser': CommonError | UnauthorizedCode | 'INVALID_ID' | 'ORDER_NOT_FOUND' | 'PERMISSION_DENIED';
  'orders.patch':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'INVALID_STATUS_TRANSITION'
    | 'ORDER_NOT_FOUND'
    | 'UNPROCESSABLE_ENTITY';
  'orders.update':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'INVALID_STATUS_TRANSITION'
    | 'ORDER_NOT_FOUND'
    | 'UNPROCESSABLE_ENTITY';
  'orders.delete':
    | CommonError
    | InvalidDeletionCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'ORDER_NOT_DELETABLE'
    | 'ORDER_NOT_FOUND';
  'orderItems.list':
    | CommonError
    | InvalidListCode
    | UnauthorizedCode
    | 'PERMISSION_DENIED'
    | 'UNPROCESSABLE_ENTITY';
  'orderItems.get':
    | CommonError
    | UnauthorizedCode
    | 'INVALID_ID'
    | 'ORDER_ITEM_NOT_FOUND'
    | 'PERMISSION_DENIED';
  'orderItems.listOfOrder':
    | CommonError
    | InvalidNestedListCode
    | UnauthorizedCode
    | 'ORDER_NOT_FOUND'
    | 'PERMISSION_DENIED'
    | 'UNPROCESSABLE_ENTITY';
  'orderItems.create':
    | CommonError
    | InvalidNestedCreationCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'IDEMPOTENCY_KEY_IN_USE'
    | 'IDEMPOTENCY_KEY_REUSED'
    | 'ORDER_ITEM_ALREADY_EXISTS'
    | 'ORDER_ITEM_COUNT'
    | 'ORDER_NOT_EDITABLE'
    | 'ORDER_NOT_FOUND'
    | 'ORDER_TOTAL_TOO_LARGE'
    | 'PRODUCT_OUT_OF_STOCK'
    | 'UNPROCESSABLE_ENTITY';
  'orderItems.getOfOrder':
    | CommonError
    | UnauthorizedCode
    | 'INVALID_ID'
    | 'ORDER_ITEM_NOT_FOUND'
    | 'PERMISSION_DENIED';
  'orderItems.patch':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'ORDER_ITEM_ALREADY_EXISTS'
    | 'ORDER_ITEM_COUNT'
    | 'ORDER_ITEM_NOT_FOUND'
    | 'ORDER_NOT_EDITABLE'
    | 'ORDER_NOT_FOUND'
    | 'ORDER_TOTAL_TOO_LARGE'
    | 'PRODUCT_OUT_OF_STOCK'
    | 'UNPROCESSABLE_ENTITY';
  'orderItems.update':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'ORDER_ITEM_ALREADY_EXISTS'
    | 'ORDER_ITEM_COUNT'
    | 'ORDER_ITEM_NOT_FOUND'
    | 'ORDER_NOT_EDITABLE'
    | 'ORDER_NOT_FOUND'
    | 'ORDER_TOTAL_TOO_LARGE'
    | 'PRODUCT_OUT_OF_STOCK'
    | 'UNPROCESSABLE_ENTITY';
  'orderItems.delete':
    | CommonError
    | InvalidDeletionCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'ORDER_ITEM_COUNT'
    | 'ORDER_ITEM_NOT_FOUND'
    | 'ORDER_NOT_EDITABLE'
    | 'ORDER_NOT_FOUND';
  'sessions.list':
    | CommonError
    | InvalidListCode
    | UnauthorizedCode
    | 'PERMISSION_DENIED'
    | 'UNPROCESSABLE_ENTITY';
  'sessions.get': CommonError | UnauthorizedCode | 'INVALID_ID' | 'PERMISSION_DENIED' | 'SESSION_NOT_FOUND';
  'sessions.delete':
    | CommonError
    | InvalidDeletionCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'SESSION_NOT_FOUND';
  'apiKeys.list':
    | CommonError
    | InvalidListCode
    | UnauthorizedCode
    | 'PERMISSION_DENIED'
    | 'UNPROCESSABLE_ENTITY';
  'apiKeys.create':
    | CommonError
    | InvalidCreationCode
    | UnauthorizedCode
    | UnprocessableCreationCode
    | WriteForbiddenCode
    | 'API_KEY_LIMIT_REACHED'
    | 'IDEMPOTENCY_KEY_IN_USE';
  'apiKeys.get': CommonError | UnauthorizedCode | 'API_KEY_NOT_FOUND' | 'INVALID_ID' | 'PERMISSION_DENIED';
  'apiKeys.patch':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'API_KEY_NOT_FOUND'
    | 'UNPROCESSABLE_ENTITY';
  'apiKeys.update':
    | CommonError
    | InvalidChangeCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'API_KEY_NOT_FOUND'
    | 'UNPROCESSABLE_ENTITY';
  'apiKeys.delete':
    | CommonError
    | InvalidDeletionCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'API_KEY_NOT_FOUND';
  'accessGrants.list':
    | CommonError
    | InvalidListCode
    | UnauthorizedCode
    | 'PERMISSION_DENIED'
    | 'UNPROCESSABLE_ENTITY';
  'accessGrants.create':
    | CommonError
    | InvalidCreationCode
    | UnauthorizedCode
    | UnprocessableCreationCode
    | WriteForbiddenCode
    | 'IDEMPOTENCY_KEY_IN_USE';
  'accessGrants.get':
    | CommonError
    | UnauthorizedCode
    | 'ACCESS_GRANT_NOT_FOUND'
    | 'INVALID_ID'
    | 'PERMISSION_DENIED';
  'accessGrants.delete':
    | CommonError
    | InvalidDeletionCode
    | UnauthorizedCode
    | WriteForbiddenCode
    | 'ACCESS_GRANT_NOT_FOUND';
  login: CommonError | 'INVALID_CREDENTIALS' | 'INVALID_JSON' | 'UNPROCESSABLE_ENTITY' | 'VALIDATION_FAILED';
  refresh:
    | CommonError
    | 'AUTHENTICATION_REQUIRED'
    | 'CROSS_ORIGIN_REJECTED'
    | 'INVALID_JSON'
    | 'INVALID_TOKEN'
    | 'TOKEN_EXPIRED';
  logout: CommonError | 'CROSS_ORIGIN_REJECTED' | 'INVALID_JSON';
}

/** The errors of an operation: `ErrorOf<'orders.create'>`. */
export type ErrorOf<Operation extends keyof OperationErrors> = ApiErrorOf<
  ErrorStatus,
  OperationErrors[Operation]
>;
