import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { Grants, NO_GRANTS } from './grants.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The grants that bear on the caller, on routes that declare what they are about. */
    grants: Grants | undefined;
  }
}

/** The grants of the caller, for services whose own rules go beyond roles. @example list(@GrantsOfCaller() grants: Grants) */
export const GrantsOfCaller = createParamDecorator(
  (_: undefined, context: ExecutionContext): Grants =>
    context.switchToHttp().getRequest<FastifyRequest>().grants ?? NO_GRANTS,
);
