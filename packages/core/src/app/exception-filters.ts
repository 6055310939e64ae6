import { ArgumentsHost } from '@nestjs/common';
import { FastifyReply } from 'fastify';
import { ServerResponse } from 'node:http';
import { types } from 'node:util';

type CatchMethod = (this: unknown, error: unknown, host: ArgumentsHost) => unknown;

const wrappedCatches = new WeakSet<CatchMethod>();

/**
 * Wraps an exception filter, so that the client gets an error response if the promise of the filter rejects. NestJS
 * only handles filters that throw. After a rejection, it would send no response.
 * @param filter the class of the filter, or an instance
 */
export function catchRejections(filter: unknown): void {
  const target = (typeof filter === 'function' ? filter.prototype : filter) as
    | { catch?: CatchMethod }
    | null
    | undefined;
  const original = target?.catch;
  if (!target || !original || wrappedCatches.has(original)) return;
  const caught: CatchMethod = function (error, host) {
    const result = original.call(this, error, host);
    return types.isPromise(result)
      ? result.catch((rejection: unknown) => sendRejection(rejection, host))
      : result;
  };
  wrappedCatches.add(caught);
  target.catch = caught;
}

function sendRejection(rejection: unknown, host: ArgumentsHost): void {
  const response = host.switchToHttp().getResponse<FastifyReply & ServerResponse>();
  const reply = (response as ServerResponse).timing?.reply ?? response;
  if (host.getType() !== 'http' || reply.sent) throw rejection;
  const error = types.isNativeError(rejection)
    ? rejection
    : new Error('a filter rejected', { cause: rejection });
  void reply.send(error);
}
