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
  /** Default: `v1`. */
  readonly version?: Version | undefined;
}

/** Members of every client, beside its resources. */
export interface Core<Login = unknown> {
  /**
   * Logs in by the client's scheme, `token()` or `session()`, and uses what is issued from now on.
   *
   * @throws ApiError `INVALID_CREDENTIALS`; `RATE_LIMIT_EXCEEDED` after too many failures
   */
  login(credentials: Credentials): Promise<Login>;
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

/** The functions that know the operations and the errors of one API. */
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
 * Makes the functions of a typed client from the table of operations. Generated code calls it.
 *
 * @typeParam Api the resources of each version
 * @typeParam Login what `login()` answers
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
    if (!table) throw new TypeError(`there is no version ${version}`);
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
      if (!path.startsWith('/')) throw new TypeError(`${operation}: the path does not begin with /`);
      return transport.send({ operation, method, path, query, body, takesAnyType: true, options });
    },
    clearCache: () => {
      transport.clearCache();
    },
  };
}
