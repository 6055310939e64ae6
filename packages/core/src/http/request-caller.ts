import { FastifyRequest } from 'fastify';

/** The part of a `Principal` (`access/`) that limits and logs in `http/` read. */
export interface RequestCaller {
  /** The user, or the owner of an API key; `null` for an anonymous caller. */
  readonly userId: number | null;
  /** The name of the authentication scheme. */
  readonly scheme: string;
}

/** Returns the caller, or `null` if nobody is authenticated, or not yet. */
export function requestCaller(request: FastifyRequest): RequestCaller | null {
  // Fastify answers an undecodable path without running the hook that creates the context.
  const { context } = request as Partial<Pick<FastifyRequest, 'context'>>;
  return context?.principal ?? null;
}
