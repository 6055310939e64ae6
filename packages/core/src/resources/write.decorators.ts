import { ApiHeader } from '@nestjs/swagger';

import { SqlExecutor } from '../database/sql-executor.js';
import {
  entityTagPrefix,
  readPreconditions,
  type WritePreconditions,
} from '../http/caching/preconditions.js';
import { routePolicy } from '../routes/route-policy.js';
import { createRequestDecorator } from '../routes/request.js';

const PRECONDITION_HEADERS = Object.entries({
  'If-Match': 'Writes only if one of these ETags is current. Otherwise the response is 412.',
  'If-None-Match': 'Writes only if none of these ETags is current. Otherwise the response is 412.',
  'If-Unmodified-Since':
    'Writes only if the resource has not changed since this time. Otherwise the response is 412. Ignored if you send If-Match.',
}).map(([name, description]) =>
  ApiHeader({ name, required: false, description, schema: { type: 'string' } }),
);

/**
 * The preconditions of a write to the row that the path's last parameter names, checked by the write itself.
 * @example patch(@Param('id', ParseIdPipe) id: number, @Preconditions() preconditions: Preconditions) { … }
 */
export const Preconditions = createRequestDecorator(
  ({ policy, params, raw }) => {
    const text = Object.values(params as Record<string, string>).at(-1) ?? '';
    const id = /^\d+$/.test(text) ? Number(text) : text.toLowerCase();
    return readPreconditions(raw.headers, entityTagPrefix(policy?.schemaHash ?? '', id));
  },
  routePolicy({ isConditional: true }),
  ...PRECONDITION_HEADERS,
);
export type Preconditions = WritePreconditions;

/**
 * The transaction of a POST: what is written with it is stored together with the response, or not at all. The route
 * may run again from its start, see `Database.transaction()`.
 * @example create(@Body() body: CreateProductDto, @Transaction() tx: Transaction) { return this.products.create(body, tx); }
 */
export const Transaction = createRequestDecorator(
  ({ context: { transaction } }) => {
    if (!transaction) throw new Error('@Transaction() belongs on a POST of a @Resource()');
    return transaction;
  },
  routePolicy({ isTransactional: true }),
);
export type Transaction = SqlExecutor;
