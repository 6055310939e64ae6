import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { FastifyReply } from 'fastify';

import { PART_LIMITS } from './body/uploads.js';
import { setCacheControl } from './caching/cache-policy.js';
import { jsonOf, sendJson, serialize } from './json.js';
import { contentTypeOf } from './negotiation/produces.decorator.js';
import { isSentAsItIs } from './payload.js';
import { HooksOnDemandAdapter } from './server/hooks-on-demand.adapter.js';

/**
 * Nest's Fastify adapter, but for how it answers: texts, buffers, streams and `StreamableFile` are sent as Nest sends
 * them; anything else is JSON by the compiled schema of its route. Unknown paths and errors of hooks are answered by
 * `registerErrorHandling()`, not by Nest, whose handlers would turn them into errors of its own.
 */
export class JsonAdapter extends HooksOnDemandAdapter {
  /** Called where a route takes files: what it does not bound itself is bounded. */
  override useMultipart(): void {
    // Private by its type: `super.useMultipart()` reads it.
    const { multipartOptions } = this as unknown as { multipartOptions: object };
    Object.assign(this, { multipartOptions: { limits: PART_LIMITS, ...multipartOptions } });
    super.useMultipart();
  }

  override reply(reply: FastifyReply, body: unknown, status?: number): FastifyReply {
    if (status !== undefined) void reply.code(status);
    setCacheControl(reply);
    if (reply.request.policy?.answers === undefined) return this.replyOrdinarily(reply, body);
    if (typeof body === 'object' && body !== null) sendJson(reply, jsonOf(body, reply));
    else void reply.send(body);
    // Nest would await the reply here, and does so once more where its handler has returned it.
    return undefined as never;
  }

  override redirect(reply: FastifyReply, status: number, url: string): FastifyReply {
    setCacheControl(reply);
    return super.redirect(reply, status, url);
  }

  /** Answers for a route that says nothing of what it answers, or that it is of another type than JSON. */
  private replyOrdinarily(reply: FastifyReply, body: unknown): FastifyReply {
    const type = contentTypeOf(reply);
    if (type !== undefined && !reply.hasHeader('content-type')) void reply.header('content-type', type);
    if (typeof body === 'string' && type?.endsWith('json')) sendJson(reply, body, type);
    else if (isSentAsItIs(body)) return super.reply(reply, body);
    else sendJson(reply, serialize(body, reply), type);
    return reply;
  }

  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance();
  }
}
