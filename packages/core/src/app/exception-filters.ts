import { ArgumentsHost } from '@nestjs/common';
import { FastifyReply } from 'fastify';
import { ServerResponse } from 'node:http';
import { types } from 'node:util';

type CatchMethod = (this: unknown, error: unknown, host: ArgumentsHost) => unknown;

const wrappedCatches = new WeakSet<CatchMethod>();

/**
 * Sends the error of an exception filter whose promise rejects. NestJS handles only filters that throw, and would leave
 * such a request without a response.
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
