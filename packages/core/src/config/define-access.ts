/** The permissions of a role. A staff role may also access resources that belong to other users. */
export interface RoleDefinition<Permission extends string> {
  readonly permissions: readonly Permission[];
  readonly isStaff?: boolean;
  /** The requests that a caller of this role may send in a window. The default is `RATE_LIMIT`. */
  readonly rateLimit?: number;
}

/** The argument of `defineAccess()`. */
export interface AccessDefinition<
  Permission extends string,
  Role extends string,
  Resource extends string,
  Attribute extends string = never,
> {
  readonly permissions: readonly Permission[];
  readonly roles: Readonly<Record<Role, RoleDefinition<NoInfer<Permission>>>>;
  /** The role of administrators, which the first user gets. The role must have the permission `manage_users`. */
  readonly administratorRole: NoInfer<Role>;
  /** The roles that `ANONYMOUS_ROLE` may give to callers without credentials. */
  readonly anonymousRoles: readonly NoInfer<Role>[];
  /** The types of resources that grants can apply to. */
  readonly grantedResources: readonly Resource[];
  /**
   * The columns of users, by their property names, that decide which rows a caller may see, such as `companyId`. If an
   * application names attributes, each of its resources must declare `rows`.
   */
  readonly attributes?: readonly Attribute[];
}

/**
 * Gives `Permission`, `Role` and `ResourceType` the names that the application declares, by declaration merging.
 * @example declare module '@plinth/core' { interface DeclaredAccess { access: typeof ACCESS } }
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the application fills it
export interface DeclaredAccess {}

type Access = DeclaredAccess extends {
  readonly access: infer A extends AccessDefinition<string, string, string, string>;
}
  ? A
  : AccessDefinition<string, string, string, string>;
/** A permission of the application, such as `read`. */
export type Permission = Access['permissions'][number];
/** The name of a role of the application. */
export type Role = Extract<keyof Access['roles'], string>;
/** A type of resource that grants can apply to, such as `product`. */
export type ResourceType = Access['grantedResources'][number];
type DeclaredAttribute = NonNullable<Access['attributes']>[number];
/** The value of an attribute of a user. */
export type AttributeValue = string | number | boolean | null;
/** The attributes of a caller, by name. */
export type Attributes = Readonly<
  Record<[DeclaredAttribute] extends [never] ? string : DeclaredAttribute, AttributeValue>
>;

/** The permissions of the application. This list and those below are empty until `defineAccess()` has run. */
export const PERMISSIONS: readonly Permission[] = [];
/** The names of the roles, in the order of their declaration. The list is empty until `defineAccess()` has run. */
export const ROLES: readonly Role[] = [];
export const ANONYMOUS_ROLES: readonly Role[] = [];
export const RESOURCE_TYPES: readonly ResourceType[] = [];
/** The names of the attributes of users. */
export const ATTRIBUTES: readonly string[] = [];
const permissionsByRole = new Map<string, ReadonlySet<Permission>>();
const rateLimitByRole = new Map<string, number>();
export const STAFF_ROLES: readonly Role[] = [];
/** Contains one role after `defineAccess()` has run. */
const administratorRoles: readonly Role[] = [];

/** The permission to manage users, their roles and their grants. Every application must declare this permission. */
export const MANAGE_USERS = 'manage_users';

/**
 * Declares the permissions and roles of an application. Call it once, in a module that loads before the controllers.
 * The compiler rejects a role that has an unknown permission.
 * @throws Error if the role of administrators lacks the permission `manage_users`, or if the rate limit of a role is not
 * a whole number of at least 1
 * @example
 * export const ACCESS = defineAccess({
 *   permissions: ['read', 'manage_users'],
 *   roles: { admin: { permissions: ['read', 'manage_users'], isStaff: true }, reader: { permissions: ['read'] } },
 *   administratorRole: 'admin',
 *   anonymousRoles: ['reader'],
 *   grantedResources: ['product'],
 * });
 */
export function defineAccess<
  const P extends string,
  const R extends string,
  const T extends string,
  const A extends string = never,
>(access: AccessDefinition<P, R, T, A>): AccessDefinition<P, R, T, A> {
  const { administratorRole: administrator } = access;
  const held: readonly string[] = access.roles[administrator].permissions;
  if (!held.includes(MANAGE_USERS))
    throw new Error(
      `administratorRole: must be a role with the permission ${MANAGE_USERS} (got '${administrator}')`,
    );
  const roles = Object.entries<RoleDefinition<P>>(access.roles);
  for (const [role, { rateLimit = 1 }] of roles)
    if (!Number.isSafeInteger(rateLimit) || rateLimit < 1)
      throw new Error(`roles.${role}.rateLimit: must be a whole number of at least 1 (got ${rateLimit})`);
  replaceItems(administratorRoles, [administrator]);
  replaceItems(PERMISSIONS, access.permissions);
  replaceItems(ROLES, Object.keys(access.roles));
  replaceItems(ANONYMOUS_ROLES, access.anonymousRoles);
  replaceItems(RESOURCE_TYPES, access.grantedResources);
  replaceItems(ATTRIBUTES, access.attributes ?? []);
  const byRole: Map<string, ReadonlySet<string>> = permissionsByRole;
  byRole.clear();
  for (const [role, { permissions }] of roles) byRole.set(role, new Set(permissions));
  rateLimitByRole.clear();
  for (const [role, { rateLimit }] of roles)
    if (rateLimit !== undefined) rateLimitByRole.set(role, rateLimit);
  const staff = roles.flatMap(([role, { isStaff }]) => (isStaff ? role : []));
  replaceItems(STAFF_ROLES, staff);
  return access;
}

/**
 * Returns the permissions of a role. An undeclared role has no permissions.
 * @example permissionsOf('reader').has('create') // false
 */
export const permissionsOf = (role: Role): ReadonlySet<Permission> =>
  permissionsByRole.get(role) ?? new Set();

/** Returns the rate limit that a role declares, or `undefined` if `RATE_LIMIT` applies to the role. */
export const roleRateLimit = (role: string): number | undefined => rateLimitByRole.get(role);

/** Returns the highest rate limit of a role, or 0 if no role declares one. */
export const highestRoleRateLimit = (): number => Math.max(0, ...rateLimitByRole.values());

/**
 * Returns the role of administrators.
 * @throws Error before `defineAccess()` has run
 */
export function administratorRole(): Role {
  const [role] = administratorRoles;
  if (role === undefined) throw new Error('defineAccess() must be called first');
  return role;
}

const replaceItems = (list: readonly string[], values: readonly string[]): void => {
  (list as string[]).splice(0, list.length, ...values);
};
