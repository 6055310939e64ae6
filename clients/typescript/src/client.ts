import { operations } from './generated/operations.js';
import type { Api, LoginResponse } from './generated/api.js';
import type { Credentials } from './core/auth.js';
import { bind, type CustomRequest, type Operation } from './core/operations.js';
import { Transport, type TransportOptions } from './core/transport.js';
import type { RequestOptions, Result } from './core/types.js';

/** The versions of the API. */
export type Version = keyof Api;

export interface ClientOptions<V extends Version = Version> extends TransportOptions {
  /** Default: `v1`. */
  readonly version?: V | undefined;
}

/** What every client has, beside its resources. */
export interface Core {
  /**
   * Logs in by the client's scheme, `token()` or `session()`, and uses what is issued from now on.
   *
   * @throws ApiError `INVALID_CREDENTIALS`; `RATE_LIMIT_EXCEEDED` after too many failures
   */
  login(credentials: Credentials): Promise<LoginResponse>;
  /** Ends the login on the server, and forgets credentials and responses here, also if the server is out of reach. */
  logout(options?: RequestOptions): Promise<void>;
  /**
   * A request that no resource has a method for. The path begins at the root of the server: `/api/v1/products`.
   *
   * @throws TypeError for a path without that slash, which could name another server
   */
  request<Data = unknown>(method: string, path: string, request?: CustomRequest): Promise<Result<Data>>;
  /** Forgets the responses that the client keeps. */
  clearCache(): void;
}

export type Client<V extends Version = 'v1'> = Api[V] & Core;

/**
 * Makes a client.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://api.example.com', auth: apiKey(key) });
 * for await (const product of client.products.list({ sort: 'price:asc' })) console.log(product.name);
 */
export function createClient<V extends Version = 'v1'>(options: ClientOptions<V>): Client<V> {
  const version = options.version ?? 'v1';
  const root = `/api/${version}`;
  const transport = new Transport(options, root);
  const resources: Record<string, Record<string, unknown>> = {};
  for (const [resource, methods] of Object.entries(
    operations[version] as Record<string, Record<string, Operation>>,
  )) {
    resources[resource] = Object.fromEntries(
      Object.entries(methods).map(([name, operation]) => [
        name,
        bind(transport, `${resource}.${name}`, root, operation),
      ]),
    );
  }
  return { ...resources, ...coreOf(transport) } as Client<V>;
}

function coreOf(transport: Transport): Core {
  return {
    login: async (credentials) => (await transport.logIn(credentials)) as LoginResponse,
    logout: (options) => transport.logOut(options),
    async request(method, path, { query, body, ...options } = {}) {
      const operation = `${method} ${path}`;
      if (!path.startsWith('/')) throw new TypeError(`${operation}: the path does not begin with /`);
      return transport.send({ operation, method, path, query, body, takesAnyType: true, options });
    },
    clearCache: () => {
      transport.clearCache();
    },
  };
}
