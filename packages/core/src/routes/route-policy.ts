import type { Throttle } from '../http/rate-limit/throttle.js';
import type { GrantSource } from '../access/grant-sources.js';
import type { Principal } from '../access/principal.js';
import type { PermissionRule, PublicRule } from '../access/require-permission.decorator.js';
import type { SqlExecutor } from '../database/sql-executor.js';
import type { Dto } from '../fields/field.js';
import type { CachePolicy } from '../http/caching/cache-policy.js';
import type { ErrorType } from '../http/errors/define-errors.js';
import type { ApiVersion } from '../http/negotiation/api-versions.js';
import type { ListDefinition } from '../lists/list-definition.js';
import type { BatchedRoute } from '../resources/batch/batch.js';
import type { ResponseSchema } from '../resources/openapi/api-responses.decorator.js';
import type { ResourceOptions } from '../resources/resource.js';

/** The query parameters that a route declares with `@Query()` of NestJS. */
export interface QueryParameters {
  readonly names: ReadonlySet<string>;
  /** The names that a URL may repeat. */
  readonly repeatable: ReadonlySet<string>;
  /** Whether a DTO declares some of them. */
  readonly hasDto: boolean;
}

/**
 * Everything that the decorators of a route declare, in one object. Decorators of the base write it with
 * `routePolicy()`. `completeRoutes()` adds what the decorators of NestJS declare, and `registerPolicies()` adds the
 * path. Hooks and interceptors read `request.policy`. The OpenAPI document reads `server.policies`, whose keys are
 * `METHOD path`. The comment of each field names its readers.
 */
export interface RoutePolicy {
  // The route.

  /** The method of the controller, such as `ProductsController.get`. Read by `plinth routes`. */
  handler?: string;
  /**
   * The declared path with its parameters, such as `/api/v1/products/:id`. Read by logs, metrics, rate limits and
   * `access/`.
   */
  route?: string;
  /**
   * The version in the path. Read by `http/negotiation/`, `lists/row-response.ts`, `lists/query-string.ts` and `docs/`.
   */
  apiVersion?: number;
  /** Returns the fields of the policy that differ between versions of the API. Read by `registerPolicies()`. */
  inVersion?: (version: number, declared: ApiVersion) => RoutePolicy;
  /**
   * Whether the controller names no version, and therefore serves all versions that other controllers name. Read by
   * `completeRoutes()`.
   */
  servesEveryVersion?: boolean;
  /** The resource of the controller. Read by `resources/batch/` and `docs/`. */
  resource?: ResourceOptions;
  /** The path below that of the resource, such as `''` or `':id'`. Read by `docs/document.ts`. */
  pathInResource?: string;
  /** Whether the controller is removed if `MAIL=off`. Read by `app/app.factory.ts`. */
  needsMail?: boolean;

  // Access.

  /**
   * The callers that may use the route. By default, those with the permission of the HTTP method. Read by `access/` and
   * `docs/`.
   */
  access?: PublicRule | PermissionRule;
  /**
   * The resources whose grants apply to the route. Read by `access/`, replays in `resources/idempotency/` and `docs/`.
   */
  grants?: readonly GrantSource[];
  /**
   * The cookies that the route reads, in addition to those of authentication. Read by the origin check of `access/` and
   * by `docs/`.
   */
  readsCookies?: readonly string[];
  /**
   * Throws if the caller may no longer get a stored response. Called before the response is sent again. The caller is
   * `null` if a request to a public route has no credentials. Read by `resources/idempotency/`.
   */
  // Method syntax makes the parameters bivariant, so that a function may declare its DTO, or a caller that is not null.
  assertBeforeReplay?(caller: Principal | null, tx: SqlExecutor, body: object): Promise<unknown>;

  // The representation: what the route sends.

  /**
   * The media types that the route produces, the preferred one first. By default, JSON. Read by `http/negotiation/` and
   * `docs/`.
   */
  produces?: readonly string[];
  /**
   * The schemas that serialize responses, by status. Read by `registerPolicies()` for Fastify, `lists/row-response.ts`
   * and `docs/`.
   */
  response?: Readonly<Record<number, object>>;
  /**
   * Whether interceptors of the application may change the response. If so, the schema is applied before they run. Read
   * by `lists/row-response.ts`.
   */
  hasInterceptors?: boolean;
  /** Computes the response from a row. By default, the response is the row. Read by `lists/row-response.ts`. */
  // Method syntax makes the parameter bivariant, so that a resource may map rows of its own type.
  map?: { map(row: object): object }['map'];
  /** The schema of one row. Read by exports (`lists/csv.ts`), batches and `docs/`. */
  rowResponse?: ResponseSchema;
  /**
   * A digest of the schema of a row, which is part of entity tags. Read by `lists/row-response.ts` and preconditions.
   */
  schemaHash?: string;
  /**
   * Whether each row in a response has its entity tag in the field `etag`. Read by
   * `lists/row-response.ts`.
   */
  showsEntityTag?: boolean;
  /** How caches may store responses. Read by `http/caching/` and `docs/`. */
  cache?: CachePolicy;
  /**
   * Whether the response continues until the client ends it. Read by `operations/overload.ts`, which does not count it
   * as in flight.
   */
  isStream?: boolean;

  // The request: query and body.

  /** The list that `@ListQuery()` reads. Read by `lists/`, the checks at start and `docs/`. */
  list?: ListDefinition;
  /**
   * The properties whose values come from the path or the caller. Clients cannot filter by these properties. Read by
   * `lists/check-lists.ts`.
   */
  fixedFilterProperties?: readonly string[];
  /**
   * The parameters of `@Query()`, or `any` if the route checks them itself. By default, the route has no
   * parameters. Read by `lists/` and `docs/`.
   */
  queryParameters?: QueryParameters | 'any';
  /** Whether a DTO declares the body. Read by `docs/`. */
  hasBodyDto?: boolean;
  /** The path parameters that a key of `@Param()` reads. Read by `registerPolicies()` and `docs/`. */
  keyParameters?: readonly string[];
  /** Whether a DTO other than a key declares the query or the path. Read by `docs/error-responses.ts`. */
  validatesParameters?: boolean;
  /** Whether the route checks `If-Match` and the other preconditions of writes. Read by `docs/`. */
  isConditional?: boolean;
  /** Whether the route runs in a transaction and accepts an `Idempotency-Key`. Read by `@Resource()` and `docs/`. */
  isTransactional?: boolean;
  /** Whether the route needs no transaction without an `Idempotency-Key`. Read by `resources/idempotency/`. */
  isSingleStatement?: boolean;
  /**
   * The routes whose work a batch can do, by operation (`create`, `update`, `delete`). Read by `access/`,
   * `resources/batch/` and `docs/`.
   */
  batch?: ReadonlyMap<string, BatchedRoute>;
  /** The DTO of a batch. Read by `resources/batch/`. */
  batchDto?: Dto;

  // Limits.

  /** The rate limits that apply to the route. By default, the general limit. Read by `http/rate-limit/`. */
  throttles?: readonly Throttle[];
  /**
   * Whether requests of the route are excluded from the general limit and from the limit of addresses. Read by
   * `http/rate-limit/` and `docs/`.
   */
  skipsRateLimit?: boolean;
  /** Returns how many requests a body counts as. By default, one. Read by `http/rate-limit/`. */
  countRequests?: (body: unknown) => number;

  // Documentation.

  /**
   * The status and kind of a successful response. Read by `docs/`, `http/negotiation/` and `lists/page.interceptor.ts`.
   */
  success?: {
    readonly status: number;
    readonly kind: 'resource' | 'list' | 'facets' | 'object' | 'nothing';
    /** The class of the body in the document. By default, the class that Swagger found. */
    readonly type?: Dto;
  };
  /**
   * The errors that the document lists, in addition to those that other fields imply. Read by
   * `docs/error-responses.ts`.
   */
  errors?: readonly ErrorType[];
  /** Whether a successful response sets cookies. Read by `docs/response-headers.ts`. */
  setsCookies?: boolean;
}

const POLICY = Symbol('route policy');

/**
 * Adds fields to the policy of a route or of a controller. A route overrides its controller. A later call overrides an
 * earlier one.
 */
export function routePolicy(addition: RoutePolicy): ClassDecorator & MethodDecorator {
  return (target: object, _property?: string | symbol, descriptor?: PropertyDescriptor) => {
    const declaring = (descriptor?.value ?? target) as object;
    Reflect.defineMetadata(POLICY, { ...readRoutePolicy(declaring), ...addition }, declaring);
  };
}

/** Returns the policy that decorators declare on a controller or on a handler itself. */
export function readRoutePolicy(declaring: object): RoutePolicy {
  return (Reflect.getMetadata(POLICY, declaring) as RoutePolicy | undefined) ?? {};
}
