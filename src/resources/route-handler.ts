import { FastifyReply } from 'fastify';

import { Connection } from '../database/connection.js';
import { DeclaredRoute } from './route-declaration.js';
import { Handler } from './route-metadata.js';
import { bodyIndexOf, transactionIndexOf } from './route-parameters.js';

/** Runs the method of a route, and may run it again. @param transaction what a POST runs on */
export type Call = (transaction?: Connection) => unknown;

/** Makes the response of a route from what its method returns. One for each route. */
export interface Responder {
  /**
   * @param body as the method gets it
   * @returns the body of the response, whose headers are set
   */
  respond(call: Call, reply: FastifyReply, body: unknown): unknown;
}

/**
 * The function that is called in place of the method of a route. NestJS passes the reply after the method's own
 * parameters, which have been read; guards, interceptors and pipes have run. Another method that calls the route, as by
 * `super.get(id)`, gets what the method returns.
 *
 * @param arity how many parameters NestJS reads for the method itself
 */
export function handlerOf(route: DeclaredRoute, arity: number, responder: Responder): Handler {
  const { controller, handler, parameters } = route;
  const bodyIndex = bodyIndexOf(parameters);
  const transactionIndex = transactionIndexOf(parameters);
  return function (...args) {
    const isRequest = args.length > arity && Object.getPrototypeOf(this) === controller.prototype;
    if (!isRequest) return handler.apply(this, args);
    const reply = args.pop() as FastifyReply;
    const call: Call = (transaction) => {
      if (transactionIndex !== undefined) args[transactionIndex] = transaction;
      return handler.apply(this, args);
    };
    return responder.respond(call, reply, bodyIndex === undefined ? undefined : args[bodyIndex]);
  };
}
