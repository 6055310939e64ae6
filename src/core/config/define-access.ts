/** A role: what it may do, and whether that reaches what belongs to other people. */
export interface RoleDefinition<Permission extends string> {
  readonly permissions: readonly Permission[];
  readonly isStaff?: boolean;
}

/** Who may do what in an application. */
export interface AccessDefinition<
  Permission extends string,
  Role extends string,
  Anonymous extends Role,
  Resource extends string,
> {
  readonly permissions: readonly Permission[];
  readonly roles: Readonly<Record<Role, RoleDefinition<NoInfer<Permission>>>>;
  /** The roles that `ANONYMOUS_ROLE` may give to callers without credentials. */
  readonly anonymousRoles: readonly Anonymous[];
  /** The types of resources that grants can be about. */
  readonly grantedResources: readonly Resource[];
}

/** Declares the permissions and roles of an application. The compiler refuses a role with an unknown permission. */
export const defineAccess = <
  const Permission extends string,
  const Role extends string,
  const Anonymous extends Role,
  const Resource extends string,
>(
  access: AccessDefinition<Permission, Role, Anonymous, Resource>,
): AccessDefinition<Permission, Role, Anonymous, Resource> => access;
