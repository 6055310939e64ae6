import '../access/require-permission.decorator.js';
import { RoutePolicy } from '../http/route-policy.js';

/** Who may call an operation, for programs: its `x-access`. One that everybody may call has none. */
export interface DocumentedAccess {
  readonly permission: string;
  /** Only a staff role will do. */
  readonly staff?: true;
  /** Users need neither for what is their own. */
  readonly own?: true;
  /** `ANONYMOUS_ROLE` opens it to callers without credentials. */
  readonly anonymous?: true;
}

export function documentedAccess({ access }: RoutePolicy): DocumentedAccess | undefined {
  if (!access || access.isPublic) return undefined;
  const { permission, isForStaff, isOpenToAnonymousRole, own } = access;
  return {
    permission,
    ...(isForStaff && { staff: true }),
    ...(own && { own: true }),
    ...(isOpenToAnonymousRole && { anonymous: true }),
  };
}

/** Who may call an operation, for people: a sentence of its description. */
export function accessSentence({ access }: RoutePolicy): string {
  if (!access || access.isPublic) return '**Access:** open to everybody.';
  const { permission, isForStaff, isOpenToAnonymousRole, own } = access;
  const others = isForStaff ? ' and a staff role (`admin`, `editor`)' : '';
  const owner =
    own?.by === 'path'
      ? '; users need neither for a path of their own'
      : own
        ? '; users need neither for what is their own'
        : '';
  const needs = owner && !isForStaff ? owner.replace('need neither', 'do not need it') : owner;
  const anonymous = isOpenToAnonymousRole
    ? ' Open to everybody where the service sets `ANONYMOUS_ROLE`.'
    : '';
  const key = own ? ' An API key always needs the permission.' : '';
  return `**Access:** needs the permission \`${permission}\`${others}${needs}.${key}${anonymous}`;
}
