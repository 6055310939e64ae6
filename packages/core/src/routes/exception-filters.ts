import { ArgumentsHost } from '@nestjs/common';
import { FastifyReply } from 'fastify';
import { ServerResponse } from 'node:http';
import { types } from 'node:util';

type Catch = (this: unknown, error: unknown, host: ArgumentsHost) => unknown;

const answering = new WeakSet<Catch>();

/**
 * Lets an exception filter whose promise rejects be answered as one that throws: NestJS leaves such a request without a
 * response. @param filter the class, or an instance
 */
export function answerRejections(filter: unknown): void {
  const target = (typeof filter === 'function' ? filter.prototype : filter) as
    | { catch?: Catch }
    | null
    | undefined;
  const original = target?.catch;
  if (!target || !original || answering.has(original)) return;
  const caught: Catch = function (error, host) {
    const result = original.call(this, error, host);
    return types.isPromise(result) ? result.catch((rejection: unknown) => answer(rejection, host)) : result;
  };
  answering.add(caught);
  target.catch = caught;
}

function answer(rejection: unknown, host: ArgumentsHost): void {
  const response = host.switchToHttp().getResponse<FastifyReply & ServerResponse>();
  const reply = (response as ServerResponse).exchange?.reply ?? response;
  if (host.getType() !== 'http' || reply.sent) throw rejection;
  const error = types.isNativeError(rejection)
    ? rejection
    : new Error('a filter rejected', { cause: rejection });
  void reply.send(error);
}
