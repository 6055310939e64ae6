import { RoutePolicy } from '../../http/route-policy.js';
import { collectionOf } from '../resource.js';
import { singularOf, withArticle } from '../words.js';

const VERBS: Readonly<Record<string, string>> = {
  GET: 'Read',
  POST: 'Create',
  PUT: 'Replace',
  PATCH: 'Change some fields of',
  DELETE: 'Delete',
};

/**
 * The summary of a resource's route: `List products`, `Read a product`, `Change some fields of a review of a product`.
 */
export function summaryOf(method: string, { resource, list }: RoutePolicy): string {
  if (!resource) return '';
  const segments = resource.path.split('/');
  const parent = segments.slice(0, -1).findLast((segment) => !segment.startsWith(':'));
  // Under its parent, it needs no other name than the path's.
  const collection = (parent ? segments.at(-1) : collectionOf(resource))?.replaceAll('-', ' ') ?? '';
  const of = parent ? ` of ${withArticle(singularOf(parent).replaceAll('-', ' '))}` : '';
  if (list) return `List ${of ? 'the ' : ''}${collection}${of}`;
  return `${VERBS[method] ?? method} ${withArticle(singularOf(collection))}${of}`;
}
