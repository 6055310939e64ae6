import { createHash } from 'node:crypto';

import { FastifyReply } from 'fastify';

import { Answer, sendJson } from '#src/common/http/answer.js';
import { Dto, schemaOf } from '#src/common/validation/field.js';

import { rowEntityTag } from './preconditions.js';
import { isAnsweredByValidators } from './validated.js';

declare module '#src/common/http/route-policy.js' {
  interface RoutePolicy {
    /** Tells the representation of the route's resource from every other: part of its entity tags. */
    representation?: string;
  }
}

/** What a row carries of itself for its validators. */
export interface Versioned {
  /** Counts the changes of the row, from 1. */
  readonly version: number;
  /** ISO 8601 in UTC, of the last change. */
  readonly updatedAt: string;
}

/** A short hash of what a DTO shows: with a row's version it makes a strong entity tag (RFC 9110 §8.8.3). */
export function representationOf(dto: Dto): string {
  return createHash('sha256')
    .update(JSON.stringify(schemaOf(dto)))
    .digest('hex')
    .slice(0, 8);
}

/**
 * One resource with its validators: `ETag`, `Last-Modified`, `Cache-Control`; 304 where the client's copy is
 * current; `Location` with 201.
 *
 * @example return new Representation(toProduct(row), row);
 */
export class Representation<T extends object> extends Answer {
  constructor(
    readonly body: T,
    private readonly row: Versioned,
  ) {
    super();
  }

  send(reply: FastifyReply): void {
    const { policy, readScope, url } = reply.request;
    readScope?.mustShow(this.row);
    const etag = rowEntityTag(policy?.representation ?? '', this.row.version);
    if (isAnsweredByValidators(reply, { etag, lastModified: Date.parse(this.row.updatedAt) })) return;
    if (reply.statusCode === 201 && 'id' in this.body) {
      void reply.header('location', `${url.split('?', 1)[0] ?? ''}/${String(this.body.id)}`);
    }
    sendJson(reply, reply.serialize(this.body) as string);
  }
}
