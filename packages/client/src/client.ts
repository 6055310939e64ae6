import type { Credentials } from './auth.js';
import { type ApiErrorOf, isError, isErrorOf } from './errors.js';
import { bind, type CustomRequest, type Operation } from './operations.js';
import { Transport, type TransportOptions } from './transport.js';
import type { RequestOptions, Result } from './types.js';

/** The operations of an API by version, resource and name, as the generator writes them. */
export type Operations<Version extends string = string> = Readonly<
  Record<Version, Readonly<Record<string, Readonly<Record<string, Operation>>>>>
>;

export interface ClientOptions<Version extends PropertyKey = string> extends TransportOptions {
  /** The version of the API. Default: `v1`. */
  readonly version?: Version | undefined;
}

/** Members that every client has in addition to its resources. */
export interface Core<Login = unknown> {
  /**
   * Logs in with the client's scheme, `token()` or `session()`. Later requests use the credentials that the login
   * issues.
   *
   * @throws ApiError `INVALID_CREDENTIALS`; `RATE_LIMIT_EXCEEDED` after too many failures
   */
  login(credentials: Credentials): Promise<Login>;
  /** Ends the login on the server. Forgets credentials and cached responses, even if the server cannot be reached. */
  logout(options?: RequestOptions): Promise<void>;
  /**
   * Sends a request that no method of a resource can send. The path starts at the root of the server:
   * `/api/v1/products`.
   *
   * @throws TypeError for a path without a leading slash, because it could lead to another server
   */
  request<Data = unknown>(method: string, path: string, request?: CustomRequest): Promise<Result<Data>>;
  /** Removes all cached responses. */
  clearCache(): void;
}

/** The functions of a client, typed with the operations and errors of one API. */
export interface DefinedClient<Api, Login, Statuses extends Record<keyof Statuses, number>, Codes> {
  readonly createClient: <Version extends keyof Api = keyof Api & 'v1'>(
    options: ClientOptions<Version>,
  ) => Api[Version] & Core<Login>;
  readonly isError: <Code extends keyof Statuses & string = keyof Statuses & string>(
    error: unknown,
    ...codes: readonly Code[]
  ) => error is ApiErrorOf<Statuses, Code>;
  readonly isErrorOf: <Operation extends keyof Codes>(
    error: unknown,
    operation: Operation,
  ) => error is ApiErrorOf<Statuses, Codes[Operation]>;
}

/**
 * Creates the functions of a typed client from a table of operations. Only generated code needs to call this function.
 *
 * @typeParam Api the resources of each version
 * @typeParam Login the response of `login()`
 * @typeParam Statuses the status of each error code
 * @typeParam Codes the error codes of each operation
 */
export function defineClient<
  Api extends Record<keyof Api, object>,
  Login,
  Statuses extends Record<keyof Statuses, number>,
  Codes,
>(operations: Operations<keyof Api & string>): DefinedClient<Api, Login, Statuses, Codes> {
  const createClient = (options: ClientOptions): object => {
    const version = options.version ?? 'v1';
    const table = (operations as Partial<Operations>)[version];
    if (!table) throw new TypeError(`unknown version ${version}`);
    const root = `/api/${version}`;
    const transport = new Transport(options, root);
    const resources: Record<string, Record<string, unknown>> = {};
    for (const [resource, methods] of Object.entries(table)) {
      resources[resource] = Object.fromEntries(
        Object.entries(methods).map(([name, operation]) => [
          name,
          bind(transport, `${resource}.${name}`, root, operation),
        ]),
      );
    }
    return { ...resources, ...coreOf(transport) };
  };
  return { createClient, isError, isErrorOf } as unknown as DefinedClient<Api, Login, Statuses, Codes>;
}

function coreOf(transport: Transport): Core {
  return {
    login: (credentials) => transport.logIn(credentials),
    logout: (options) => transport.logOut(options),
    async request(method, path, { query, body, ...options } = {}) {
      const operation = `${method} ${path}`;
      if (!path.startsWith('/'))
        throw new TypeError(`${operation}: the path must start with / (got ${path})`);
      return transport.send({ operation, method, path, query, body, takesAnyType: true, options });
    },
    clearCache: () => {
      transport.clearCache();
    },
  };
}
