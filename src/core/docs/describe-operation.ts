import { DocumentedRoute } from './operation-errors.js';
import { RoutePolicy } from '../http/route-policy.js';
import '../resources/openapi/answers.decorator.js';
import { singularOf } from '../resources/words.js';
import '../access/require-permission.decorator.js';

const PAGES =
  'Returns one page. Pages go by number unless `cursor` is present: an empty `cursor` starts a walk, which counts no ' +
  'total and shows each item once while others are added and removed.';
const REPLACEMENT = 'Replaces every writable field: one that is left out goes back to its default.';
const MERGE_PATCH = 'Takes a JSON merge patch (RFC 7396): only the fields that are sent change.';
const CONDITIONS =
  'Send the `ETag` that you read in `If-Match` to write only what you saw. 412 `PRECONDITION_FAILED` means that the ' +
  'resource has changed since: read it again, redo the change, and send it with the new `ETag`.';
const IDEMPOTENCY =
  'Send an `Idempotency-Key` to retry safely: for 24 hours a request with the same key and body gets the first ' +
  'response again instead of creating another resource.';
const NO_BODY = 'Needs no body; a JSON body is ignored.';

/** The description of an operation: what its controller says, what follows from its policy, and who may call it. */
export function describeOperation(declared: string | undefined, { method, policy }: DocumentedRoute): string {
  const { answers } = policy;
  const isOfResource = answers?.kind === 'resource';
  const sentences = [
    declared,
    answers?.kind === 'list' && PAGES,
    method === 'PUT' && isOfResource && REPLACEMENT,
    method === 'PATCH' && isOfResource && MERGE_PATCH,
    policy.isConditional && CONDITIONS,
    policy.isIdempotent && IDEMPOTENCY,
    method === 'POST' && !policy.takesBody && answers !== undefined && NO_BODY,
    accessSentence(policy),
  ];
  return sentences.filter(Boolean).join('\n\n');
}

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
  const { permission, staff, anonymous, orSelf, orOwner } = access;
  return {
    permission,
    ...(staff && { staff: true }),
    ...((orSelf ?? orOwner) !== undefined && { own: true }),
    ...(anonymous && { anonymous: true }),
  };
}

/** Who may call an operation, for people: a sentence of its description. */
export function accessSentence({ access }: RoutePolicy): string {
  if (!access || access.isPublic) return '**Access:** open to everybody.';
  const { permission, staff, anonymous, orSelf, orOwner } = access;
  const others = staff ? ' and a staff role (`admin`, `editor`)' : '';
  const owner =
    orSelf !== undefined
      ? '; users need neither for a path of their own'
      : orOwner !== undefined
        ? '; users need neither for what is their own'
        : '';
  const needs = owner && !staff ? owner.replace('need neither', 'do not need it') : owner;
  const open = anonymous ? ' Open to everybody where the service sets `ANONYMOUS_ROLE`.' : '';
  const key = owner ? ' An API key always needs the permission.' : '';
  return `**Access:** needs the permission \`${permission}\`${others}${needs}.${key}${open}`;
}

/** Verbs that clients know by another name. */
const VERBS: Readonly<Record<string, string | undefined>> = { remove: 'delete' };

/**
 * `ProductsController.get` → `getProduct`, `.list` → `listProducts`, `ItemsOfOrderController.get` → `getItemOfOrder`;
 * `LoginController.login` → `login`.
 */
export function operationName(controller: string, method: string): string {
  // Where a controller serves several versions, Nest numbers its methods: `login[1]`.
  const name = method.replace(/\[\d+\]$/, '');
  const plural = controller.replace(/(V\d+)?Controller$/, '');
  if (name.toLowerCase() === plural.toLowerCase()) return name;
  const verb = VERBS[name] ?? name;
  if (verb === 'list') return `${verb}${plural}`;
  const [, collection = '', parent = ''] = /^(.+?)(Of[A-Z].*)?$/.exec(plural) ?? [];
  return `${verb}${pascalCase(singularOf(kebabCase(collection)))}${parent}`;
}

const kebabCase = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
