import { FastifyAdapter } from '@nestjs/platform-fastify';
import { FastifyReply } from 'fastify';

import { Answer, jsonOf, sendJson } from './answer.js';
import { cacheControl } from './caching/cache-policy.js';

/**
 * Nest's Fastify adapter, with our way of answering: an `Answer` sends itself, anything else is JSON by the
 * compiled schema of its route. Unknown paths and errors of hooks are answered by `registerErrorHandling()`,
 * not by Nest, whose handlers would turn them into errors of its own.
 */
export class JsonAdapter extends FastifyAdapter {
  override reply(reply: FastifyReply, body: unknown, status?: number): FastifyReply {
    if (status !== undefined) void reply.code(status);
    if (body instanceof Answer) {
      body.send(reply);
      return reply;
    }
    const { request } = reply;
    if (request.policy?.answers) void reply.header('cache-control', cacheControl(request));
    if (typeof body === 'object' && body !== null) sendJson(reply, jsonOf(body, reply));
    else void reply.send(body);
    return reply;
  }

  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance();
  }
}
