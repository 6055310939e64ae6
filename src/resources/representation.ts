import { createHash } from 'node:crypto';

import { FastifyReply } from 'fastify';

import { Dto, schemaOf } from '../fields/field.js';
import { Answer, sendJson } from '../http/answer.js';
import { cacheControl } from '../http/caching/cache-policy.js';
import { formatHttpDate } from '../http/caching/http-date.js';
import { rowEntityTag, taggedResource } from '../http/caching/preconditions.js';
import { isAnsweredByValidators } from '../http/caching/validated.js';
import { AnswerData } from '../http/kept-answer.js';

declare module '../http/route-policy.js' {
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

/** A short hash of what a DTO shows: with a row's id and version it makes a strong entity tag (RFC 9110 §8.8.3). */
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
    private readonly row: Versioned & { readonly id: number | string },
  ) {
    super();
  }

  send(reply: FastifyReply): void {
    const { etag, lastModified } = this.validators(reply);
    if (isAnsweredByValidators(reply, { etag, lastModified })) return;
    if (reply.statusCode === 201) void reply.header('location', this.location(reply));
    sendJson(reply, reply.serialize(this.body) as string);
  }

  /** What the request that created it is answered with, as data. */
  created(reply: FastifyReply): AnswerData {
    const { etag, lastModified } = this.validators(reply);
    // The status chooses the serializer.
    void reply.code(201);
    return {
      status: 201,
      headers: {
        etag,
        'last-modified': formatHttpDate(lastModified),
        'cache-control': cacheControl(reply.request),
        location: this.location(reply),
      },
      json: reply.serialize(this.body) as string,
    };
  }

  private validators(reply: FastifyReply): { etag: string; lastModified: number } {
    const representation = reply.request.policy?.representation ?? '';
    const { id, version, updatedAt } = this.row;
    const etag = rowEntityTag(taggedResource(representation, id), version);
    return { etag, lastModified: Date.parse(updatedAt) };
  }

  /** The path of what was created, under the collection that it was posted to. */
  private location({ request }: FastifyReply): string {
    return `${request.url.split('?', 1)[0] as string}/${this.row.id}`;
  }
}
