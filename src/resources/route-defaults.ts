import { PERMISSION_OF } from '../access/decision.js';
import { CALLER, GrantLink } from '../access/grant-links.js';
import { AccessRule, permissionRule } from '../access/require-permission.decorator.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { PathName } from './path-names.js';
import { collectionOf, ResourceOptions } from './resource.js';
import { singularOf, withArticle } from './words.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A route of a resource, as far as its policy follows from it. */
export interface RouteShape {
  readonly method: Method;
  /** Under the resource's path: `''`, `':id'`. */
  readonly path: string;
  readonly isList: boolean;
  /** The names of the whole path. */
  readonly names: readonly PathName[];
}

/** The kind of a route's response. */
export type ResponseKind = 'resource' | 'list' | 'nothing';

export function kindOf({ method, isList }: RouteShape): ResponseKind {
  if (isList) return 'list';
  return method === 'DELETE' ? 'nothing' : 'resource';
}

export const STATUS: Readonly<Record<Method, 200 | 201 | 204>> = {
  GET: 200,
  POST: 201,
  PUT: 200,
  PATCH: 200,
  DELETE: 204,
};

/**
 * Who may call a route that says nothing of it: those with the permission of its method. Where the path names whose the
 * rows are, the path decides.
 */
export function accessOf({ access = {} }: ResourceOptions, { method, names }: RouteShape): AccessRule {
  const granted = PERMISSION_OF[method] ?? 'read';
  const { permission = granted, ...options } = access[granted] ?? {};
  const named = names.find(({ property }) => property === options.orOwner);
  const own = named && { orSelf: named.parameter, orOwner: undefined };
  return permissionRule(permission, { ...options, ...own });
}

/** The property in which a new row holds its owner, where the path does not name it. */
export function ownerOf({ access }: ResourceOptions, names: readonly PathName[]): string | undefined {
  const owner = access?.create?.orOwner;
  const isNamed = names.some(({ property }) => property === owner);
  return typeof owner === 'string' && !isNamed ? owner : undefined;
}

/** The grants that decide on a route: under a parent, by the parameters that name what they are about. */
export function linksOf({ grants = [], parent }: ResourceOptions, { names }: RouteShape): GrantLink[] {
  return grants.map((link) => {
    if (!parent || link.parameter === CALLER) return link;
    const name = names.find(({ property }) => property === link.property);
    return { ...link, parameter: name?.parameter ?? UNNAMED };
  });
}

/** No path has a parameter of this name. */
const UNNAMED = '';

/** `List products`, `Read a product`, `Change some fields of a review of a product`. */
export function summaryOf(options: ResourceOptions, route: RouteShape): string {
  const segments = options.path.split('/');
  const parent = segments.slice(0, -1).findLast((segment) => !segment.startsWith(':'));
  // Under its parent, it needs no other name than the path's.
  const collection = (parent ? segments.at(-1) : collectionOf(options))?.replaceAll('-', ' ') ?? '';
  const of = parent ? ` of ${withArticle(singularOf(parent).replaceAll('-', ' '))}` : '';
  const one = `${withArticle(singularOf(collection))}${of}`;
  if (route.isList) return `List ${of ? 'the ' : ''}${collection}${of}`;
  const summaries: Record<Method, string> = {
    GET: `Read ${one}`,
    POST: `Create ${one}`,
    PUT: `Replace ${one}`,
    PATCH: `Change some fields of ${one}`,
    DELETE: `Delete ${one}`,
  };
  return summaries[route.method];
}

/** A constraint of a table, as far as errors follow from it. */
export interface Constraint {
  readonly name: string;
  /** The properties that it is about; `undefined` where TypeORM does not know them, as of indexes on expressions. */
  readonly properties?: readonly string[];
}

/**
 * The errors of a resource that a route can answer: 404 where the path names a row, and the parent's where it lists or
 * creates some; those of the constraints that its method can violate. Constraints of other tables are in the way of a
 * deletion; those of its own, of writes whose body has one of their properties.
 *
 * @param own the constraints of the resource's own table
 * @param written the properties that the body of the route has
 */
export function errorsOf(
  { notFound, constraints = {}, parent }: ResourceOptions,
  { method, path, isList }: RouteShape,
  own: readonly Constraint[],
  written: readonly string[],
): ErrorType[] {
  const violable = Object.entries(constraints).filter(([name]) => {
    const constraint = own.find((candidate) => candidate.name === name);
    if (!constraint) return method === 'DELETE';
    if (method === 'GET' || method === 'DELETE') return false;
    const { properties } = constraint;
    return method === 'POST' || !properties || properties.some((property) => written.includes(property));
  });
  const isOfParent = parent && (isList || method === 'POST');
  const absent = [...(path.includes(':') ? [notFound] : []), ...(isOfParent ? [parent.of.notFound] : [])];
  return [...absent, ...violable.map(([, error]) => error)];
}
