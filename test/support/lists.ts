import { Answer, Client } from '@plinth/dev/testing';

import { Product } from './products.js';

/** The members of an offset page or a cursor page without its rows. */
export interface Pagination {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly totalPages: number;
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

export interface Listing {
  readonly data: readonly Product[];
  readonly pagination: Pagination;
}

/** Reads a page of products. @throws Error if the response is not a page */
export function listingIn(answer: Answer): Listing {
  if (answer.status !== 200) throw new Error(`the response is not a page: ${answer.status} ${answer.text}`);
  return answer.body as Listing;
}

export const idsOf = ({ data }: Pick<Listing, 'data'>): number[] => data.map(({ id }) => id);

/** The targets of a `Link` header (RFC 8288) by relation. @throws Error if a relation is repeated */
export function linksOf(headers: Headers): Record<string, string> {
  const links: Record<string, string> = {};
  for (const link of headers.get('link')?.split(/, (?=<)/) ?? []) {
    const [, target = '', relation = ''] = /^<([^>]*)>; rel="([a-z-]+)"$/.exec(link) ?? [];
    if (relation === '' || relation in links) throw new Error(`the link is malformed: ${link}`);
    links[relation] = target;
  }
  return links;
}

/** The path of a list with its parameters. */
export const listPath = (parameters: Readonly<Record<string, unknown>>, path = '/api/v1/products'): string =>
  `${path}?${String(new URLSearchParams(Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)])))}`;

/** Reads every row of a list by its cursors. `between` runs after each page. */
export async function allByCursors(
  client: Client,
  parameters: object,
  between?: () => Promise<unknown>,
): Promise<Product[]> {
  const rows: Product[] = [];
  for (let cursor: string | null = ''; ;) {
    const { data, pagination } = listingIn(await client.get(listPath({ ...parameters, cursor })));
    rows.push(...data);
    if (pagination.hasMore !== (pagination.nextCursor !== null)) throw new Error('hasMore is wrong');
    if (pagination.nextCursor === null) return rows;
    cursor = pagination.nextCursor;
    await between?.();
  }
}
