import { FastifyReply } from 'fastify';
import { isObservable, map } from 'rxjs';

import { httpDateOf } from '../http/caching/http-date.js';
import { CurrentRepresentation, rowEntityTag, taggedResource } from '../http/caching/preconditions.js';
import { isNotModified } from '../http/caching/validated.js';
import { Versioned } from './representation.js';
import { Call, Responder } from './route-handler.js';

/** A row, as far as its validators need it. */
export type Shown = Versioned & { readonly id: number | string };

/**
 * Turns the row that a route returns into its response: `ETag`, `Last-Modified`, `Cache-Control`; 304 where the
 * client's copy is current; `Location` with 201. What is no row passes as it is. One for each route.
 */
export class RowResponse implements Responder {
  /**
   * @param representation a hash of what is shown: see `representationOf`
   * @param show makes what is shown, where it is not the row itself
   */
  constructor(
    private readonly representation: string,
    private readonly show?: (row: never) => object,
  ) {}

  respond(call: Call, reply: FastifyReply, _body: unknown): unknown {
    return Promise.resolve(call()).then((result) => this.of(result, reply));
  }

  protected of(result: unknown, reply: FastifyReply): unknown {
    if (isRow(result)) return this.ofRow(result, reply);
    return isObservable(result) ? result.pipe(map((emitted) => this.of(emitted, reply))) : result;
  }

  private ofRow(row: Shown, reply: FastifyReply): object | undefined {
    if (isNotModified(reply, this.validatorsOf(row))) return undefined;
    if (reply.statusCode === 201) void reply.header('location', locationOf(row, reply));
    return this.bodyOf(row);
  }

  protected bodyOf(row: Shown): object {
    // Of the resource's own row, whose type is erased where routes are defined.
    return this.show ? this.show(row as never) : row;
  }

  protected validatorsOf({
    id,
    version,
    updatedAt,
  }: Shown): CurrentRepresentation & { lastModified: string } {
    const etag = rowEntityTag(taggedResource(this.representation, id), version);
    return { etag, lastModified: httpDateOf(updatedAt) };
  }
}

export function isRow(result: unknown): result is Shown {
  return typeof result === 'object' && result !== null && typeof (result as Shown).version === 'number';
}

/** The path of what was created, under the collection that it was posted to. */
export function locationOf({ id }: Shown, { request }: FastifyReply): string {
  return `${request.url.split('?', 1)[0] as string}/${id}`;
}
