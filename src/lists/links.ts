import { ListQuery } from './list-query.js';

type Relation = 'first' | 'prev' | 'next' | 'last';

/**
 * The `Link` header of a page (RFC 8288): where the first, previous, next and last page are, as far as known.
 *
 * @param path the path of the list, as it was asked for
 * @param totalPages of an offset page; at least 1 is taken
 * @param nextCursor of a cursor page
 */
export function pageLinks(
  path: string,
  query: ListQuery,
  { totalPages, nextCursor }: { totalPages?: number; nextCursor?: string | null },
): string {
  const base = `${path}?${query.rest ? `${query.rest}&` : ''}`;
  const link = (relation: Relation, parameter: string): string => `<${base}${parameter}>; rel="${relation}"`;
  if (query.position.style === 'cursor') {
    const first = link('first', 'cursor=');
    return nextCursor ? `${first}, ${link('next', `cursor=${nextCursor}`)}` : first;
  }
  const { page } = query.position;
  const last = Math.max(totalPages ?? 1, 1);
  const links = [link('first', 'page=1')];
  if (page > 1) links.push(link('prev', `page=${Math.min(page - 1, last)}`));
  if (page < last) links.push(link('next', `page=${page + 1}`));
  links.push(link('last', `page=${last}`));
  return links.join(', ');
}
