import { FastifyRequest } from 'fastify';

/** The properties of a `Principal` (`access/`) that rate limits and logs read. */
export interface RequestCaller {
  /** The user, or the owner of an API key; `null` for an anonymous caller. */
  readonly userId: number | null;
  readonly role: string;
  /** The name of the authentication scheme. */
  readonly scheme: string;
}

/** Returns the caller, or `null` if the request has not been authenticated. */
export function requestCaller(request: FastifyRequest): RequestCaller | null {
  // If a path cannot be decoded, Fastify responds without running the hook that creates the context.
  const { context } = request as Partial<Pick<FastifyRequest, 'context'>>;
  return context?.principal ?? null;
}
