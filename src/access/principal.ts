import { Permission, Role } from './permissions.js';

/** Who a request comes from, as its credentials prove. */
export interface Principal {
  /** `null`: a caller without credentials, under `ANONYMOUS_ROLE`. */
  readonly userId: number | null;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
  /** By which scheme it was proved. */
  readonly scheme: 'anonymous' | 'bearer';
  /** Called with an API key: what its owner may do as themself, it may only as far as its permissions go. */
  readonly isApiKey?: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read; `null` on routes that are open to everybody. */
    principal: Principal | null;
  }
}
