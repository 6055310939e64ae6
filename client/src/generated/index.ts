// Generated from the OpenAPI document by `plinth client`. Changes are overwritten.

import { type ApiErrorOf, type Core, defineClient } from '@plinth/client';
import type { Api, LoginResponse } from './api.js';
import type { ErrorStatus, OperationErrors } from './errors.js';
import { operations } from './operations.js';

export * from '@plinth/client';
export type * from './api.js';
export type { ErrorCode, ErrorOf, ErrorStatus, OperationErrors } from './errors.js';
export type * from './schemas.js';

/** The versions of the API. */
export type Version = keyof Api;

export type Client<V extends Version = 'v1'> = Api[V] & Core<LoginResponse>;

const defined = defineClient<Api, LoginResponse, ErrorStatus, OperationErrors>(operations);

/**
 * Creates a client.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://api.example.com', auth: apiKey(key) });
 * for await (const product of client.products.list({ sort: 'price:asc' })) console.log(product.name);
 */
export const createClient = defined.createClient;

/**
 * Whether a caught value is an error of the API and, if codes are given, has one of them.
 *
 * @example
 * if (isError(error, 'PRODUCT_OUT_OF_STOCK')) error.status; // 409, to the compiler too
 */
export const isError = defined.isError;

/**
 * Whether a caught value is an error of an operation. Its `code` is then one of those that the operation lists. A newer
 * server may send other codes, so a `switch` needs a `default`.
 *
 * @example
 * if (isErrorOf(error, 'orders.create')) switch (error.code) { … }
 */
export const isErrorOf = defined.isErrorOf;
