import {
  ATTRIBUTES,
  Attributes,
  AttributeValue,
  permissionsOf,
  ROLES,
  Role,
  STAFF_ROLES,
} from '../config/define-access.js';
import {
  Alternatives,
  ColumnValue,
  IdCondition,
  isParentCondition,
  ParentCondition,
} from '../database/row-filter.js';
import type { FieldClass } from '../fields/field.js';
import type { ResourceDefinition } from '../resources/resource.js';
import { grantsOf, type GrantSource } from './grant-sources.js';
import { Principal } from './principal.js';

/** Means that `rows` of a resource do not limit a caller. */
export const ALL_ROWS: unique symbol = Symbol('all rows');

/** The caller, as `rows` of a resource receives it. */
export interface RowsCaller extends Pick<Principal, 'kind' | 'userId' | 'permissions'> {
  /** `null` on a public route, if the request carries no credentials. */
  readonly role: Role | null;
  /** Whether the role is one of the staff roles of `defineAccess()`. */
  readonly isStaff: boolean;
  /** The attributes of the user that `defineAccess()` names. If the caller is anonymous, all of them are `null`. */
  readonly attributes: Attributes;
}

/**
 * The rows that concern a caller: `ALL_ROWS`, or the values that properties of these rows have. An array means any of its
 * values. `null` and an empty array select no rows.
 */
export type RowsOfCaller<Row> =
  | typeof ALL_ROWS
  | { readonly [P in keyof Row & string]?: AttributeValue | readonly AttributeValue[] };

/** The part of a resource that row access needs, whatever the type of its rows. */
export interface LimitedResource {
  readonly path?: string;
  readonly entity: FieldClass;
  readonly grants?: readonly GrantSource[];
  readonly rows?: unknown;
}

/** The result of `rowsOf()`. */
export interface ParentRows<Property extends string = string> {
  readonly parent: () => LimitedResource | undefined;
  readonly property: Property;
}

/** The properties of a row. If the type of the row is not known, any name. */
type PropertyOf<Row> = [keyof Row] extends [never] ? string : keyof Row & string;

/**
 * The declaration of the rows of a resource that concern a caller: a function of the caller, the result of `rowsOf()`, or
 * several of these results, if a row may belong to rows of different resources.
 */
export type Rows<Row> =
  | ((context: { readonly caller: RowsCaller }) => RowsOfCaller<Row>)
  | ParentRows<PropertyOf<Row>>
  | readonly ParentRows<PropertyOf<Row>>[];

/**
 * Declares that the rows of a resource concern the callers whom their parents concern. For example, a comment concerns
 * everybody whom its ticket concerns. The parent may declare `rowsOf()` too.
 * @param parent the resource of the parents. It must declare `rows`
 * @param property the property with the id of the parent. Its column must have a foreign key to the table of the parents
 * @example export const COMMENTS: ResourceDefinition<Comment> = { …, rows: rowsOf(TICKETS, 'ticketId') };
 */
export function rowsOf<Parent extends object, const Property extends string>(
  parent: ResourceDefinition<Parent>,
  property: Property,
): ParentRows<Property> {
  return { parent: () => parent, property };
}

/** The entity of users. It is set before an application is created. */
let userEntity: FieldClass | undefined;
export const setUserEntity = (entity: FieldClass): void => void (userEntity = entity);
export const findUserEntity = (): FieldClass | undefined => userEntity;

/** Declares that rows of the base concern the callers whom their users concern, if the application's users have `rows`. */
export const rowsOfUsers = <const Property extends string>(property: Property): ParentRows<Property> => ({
  parent: () => userEntity && findLimitedResource(userEntity),
  property,
});

/** The resources with `rows`, by entity. */
const limitedResources = new Map<FieldClass, LimitedResource>();

/** @throws Error if another resource of the same entity has other `rows` */
export function registerRows(resource: LimitedResource): void {
  if (resource.rows === undefined) return;
  const other = limitedResources.get(resource.entity);
  if (other && other.rows !== resource.rows)
    throw new Error(
      `${nameOf(resource)}: must have the same \`rows\` as ${nameOf(other)}, which has the same entity: share one constant`,
    );
  limitedResources.set(resource.entity, resource);
}

/** Returns the resource of an entity if the resource has `rows`. */
export const findLimitedResource = (entity: FieldClass): LimitedResource | undefined =>
  limitedResources.get(entity);

/** Returns the resources that have `rows`. */
export const allLimitedResources = (): LimitedResource[] => [...limitedResources.values()];

/** Whether `rows` may limit callers. Those of the base do only if the application's users have `rows`. */
export function canLimit(rows: unknown): boolean {
  if (rows === undefined || typeof rows === 'function') return rows !== undefined;
  return parentsOf(rows).some(({ parent }) => canLimit(parent()?.rows));
}

/** Returns the parents of `rows` that are not a function. */
export const parentsOf = (rows: unknown): readonly ParentRows[] =>
  [rows as ParentRows | readonly ParentRows[]].flat();

/** Returns the grant sources of a resource: those that it declares, or those of the parents that `rowsOf()` names. */
export const grantSourcesOf = ({
  grants,
  rows,
}: Pick<LimitedResource, 'grants' | 'rows'>): readonly GrantSource[] =>
  grants ??
  (rows === undefined || typeof rows === 'function' ? [] : parentsOf(rows)).flatMap((link) =>
    grantsOfParent(link),
  );

/** Returns the grant sources that a resource has by one of its parents. */
export function grantsOfParent({ parent, property }: ParentRows): GrantSource[] {
  const of = parent();
  return of ? grantsOf({ entity: of.entity, grants: grantSourcesOf(of) }, property) : [];
}

/** Returns the properties by which rows belong to rows of other resources, whether or not the caller sees all rows. */
export const parentProperties = (rows: unknown): ReadonlySet<string> =>
  new Set(
    canLimit(rows) && typeof rows !== 'function' ? parentsOf(rows).map(({ property }) => property) : [],
  );

/** The name of a resource in error messages. */
export const nameOf = ({ path, entity }: LimitedResource): string => path ?? entity.name;

/** Whether any resource of the application limits callers. */
export const hasRowLimits = (): boolean => [...limitedResources.values()].some(({ rows }) => canLimit(rows));

/** The attributes of a caller without a user. */
export const noAttributes = () => Object.fromEntries(ATTRIBUTES.map((name) => [name, null])) as Attributes;

/** The caller of a public route who sends no credentials. */
const NOBODY: Omit<RowsCaller, 'isStaff' | 'attributes'> & Pick<Principal, 'attributes'> = {
  kind: 'anonymous',
  userId: null,
  role: null,
  permissions: new Set(),
};

/**
 * Returns the rows of a resource that concern a caller, as alternatives. `null` means all rows.
 * @throws Error if `rows` returns anything but `ALL_ROWS` or values of properties
 */
export function resolveRowLimit(
  resource: Pick<LimitedResource, 'entity' | 'rows' | 'path'>,
  principal: Principal | null,
): Alternatives {
  const { rows } = resource;
  if (rows === undefined) return null;
  if (typeof rows === 'function')
    return readRows(nameOf(resource), rows as RowsFunction, toRowsCaller(principal));
  const parents = parentsOf(rows).map(({ parent, property }) => {
    const of = parent();
    return { property, of, anyOf: of ? resolveRowLimit(of, principal) : null };
  });
  if (parents.every(({ anyOf }) => anyOf === null)) return null;
  return parents.flatMap(({ property, of, anyOf }): ParentCondition[][] =>
    of ? [[{ property, parent: { entity: of.entity, anyOf } }]] : [],
  );
}

function toRowsCaller(principal: Principal | null): RowsCaller {
  const { kind, userId, role, permissions, attributes } = principal ?? NOBODY;
  if (!attributes && userId !== null && ATTRIBUTES.length > 0)
    throw new Error('the attributes of the caller are not known');
  return {
    kind,
    userId,
    role,
    permissions,
    isStaff: role !== null && STAFF_ROLES.includes(role),
    attributes: attributes ?? noAttributes(),
  };
}

/** Whether a role sees rows that the caller does not: `rows` of a resource limit the caller, but would not limit the role. */
export function seesMoreRows(role: Role, caller: Principal): boolean {
  const other: Principal = { ...caller, kind: 'user', role, permissions: permissionsOf(role) };
  return allLimitedResources().some(
    (resource) => resolveRowLimit(resource, caller) !== null && resolveRowLimit(resource, other) === null,
  );
}

type RowsFunction = (context: { readonly caller: RowsCaller }) => unknown;

function readRows(path: string, rows: RowsFunction, caller: RowsCaller): Alternatives {
  const result = rows({ caller });
  if (result === ALL_ROWS) return null;
  const fault = (value: unknown): Error =>
    new Error(
      `${path}: \`rows\` must return ALL_ROWS, or a value or null for at least one property (got ${describe(value)}) for the role ${String(caller.role)}`,
    );
  const entries = typeof result === 'object' && result !== null ? Object.entries(result) : [];
  if (entries.length === 0 || Array.isArray(result)) throw fault(result);
  return [
    entries.map(([property, value]): IdCondition => {
      const ids = [value as unknown].flat().filter((one) => one !== null);
      if (!ids.every(isColumnValue)) throw fault(result);
      return { property, ids };
    }),
  ];
}

const isColumnValue = (value: unknown): value is ColumnValue =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Unlike JSON, shows properties that are undefined. */
const describe = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `{ ${Object.entries(value)
        .map(([name, one]) => `${name}: ${String(one)}`)
        .join(', ')} }`
    : String(value);

/** A limit that does not select all rows. */
export type RowLimit = NonNullable<Alternatives>;

/**
 * Returns the different limits that `rows` of a resource sets to callers of each role. They name properties and parents, and
 * their values have no meaning.
 * @throws Error if `rows` is faulty for one of the roles
 */
export function limitsOfRoles(resource: LimitedResource): RowLimit[] {
  const attributes = Object.fromEntries(ATTRIBUTES.map((name) => [name, 1])) as Attributes;
  const user = { kind: 'user', userId: 1, keyId: null, loginId: null, scheme: '', attributes } as const;
  const limits = ROLES.map((role) =>
    resolveRowLimit(resource, { ...user, role, permissions: new Set() }),
  ).filter((limit) => limit !== null);
  return [...new Map(limits.map((limit) => [JSON.stringify(namesIn(limit)), limit])).values()];
}

/** The properties and parents of a limit, in nested arrays. */
const namesIn = (limit: Alternatives): unknown =>
  limit?.map((terms) =>
    terms.map((condition) =>
      isParentCondition(condition)
        ? [condition.property, condition.parent.entity.name, namesIn(condition.parent.anyOf)]
        : condition.property,
    ),
  );

/**
 * Returns the properties by which `rows` of a resource limits callers: one set for each different result of `rows` for a
 * caller of each role. Lists have totals and indexes by these properties. If `rows` come from a parent, returns no sets.
 * @throws Error if `rows` is faulty for one of the roles
 */
export const limitedProperties = (resource: LimitedResource): string[][] =>
  typeof resource.rows === 'function'
    ? limitsOfRoles(resource).map((limit) => limit.flat().map(({ property }) => property))
    : [];
