import { ApiError } from '@plinth/core';

import { MEDIA_TYPE_NOT_ALLOWED } from './attachment.errors.js';

export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** The bytes with which files of each type begin. */
const SIGNATURES = new Map([
  ['image/png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['image/jpeg', Buffer.from('\xff\xd8\xff', 'latin1')],
  ['application/pdf', Buffer.from('%PDF-', 'latin1')],
]);

export const MEDIA_TYPES = [...SIGNATURES.keys()];

/**
 * Passes on the chunks of a file whose first bytes are those of its type.
 * @throws ApiError `MEDIA_TYPE_NOT_ALLOWED`, as soon as a byte differs
 */
export async function* assertMediaType(type: string, chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const signature = SIGNATURES.get(type);
  let begin = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (signature && begin.length < signature.length) begin = Buffer.concat([begin, chunk]);
    if (!signature?.subarray(0, begin.length).equals(begin.subarray(0, signature.length)))
      throw new ApiError(MEDIA_TYPE_NOT_ALLOWED);
    yield chunk;
  }
  if (!signature || begin.length < signature.length) throw new ApiError(MEDIA_TYPE_NOT_ALLOWED);
}
