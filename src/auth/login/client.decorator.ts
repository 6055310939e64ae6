import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { ClientInfo } from '../sessions/logins.repository.js';

const MAX_USER_AGENT = 500;
const MAX_ADDRESS = 45;

/** The client of the request, as `/sessions` shows it. */
export const Client = createParamDecorator((_: undefined, context: ExecutionContext): ClientInfo => {
  const { headers, ip } = context.switchToHttp().getRequest<FastifyRequest>();
  return {
    userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
    address: ip.slice(0, MAX_ADDRESS),
  };
});
