/** Uses the client of document.mjs: each line must compile, or fail where `@ts-expect-error` says so. */
import { type Brand, createClient, isError, isErrorOf, type List } from './index.js';

const client = createClient({ baseUrl: 'https://api.example.com' });

export async function use(): Promise<void> {
  const list: List<Brand> = client.shopBrands.list({
    kind: 'new',
    'founded-after': '1999-01-01',
    sort: ['name:asc'],
  });
  const ofCountry: List<Brand> = client.shopBrands.listOfCountry(7, { kind: 'used', sort: 'kind:desc' });
  const { data: brand } = await client.shopBrands.create(
    { name: 'Acme', userId: 7 },
    { idempotencyKey: 'key' },
  );
  const site: string | null = brand.site;
  const tags: (string | number)[] | undefined = brand.tags;
  const rank: number | undefined = brand['x-rank']?.['name'];
  await client.shopBrands.update(brand.id, ({ name }) => ({ name: `${name}!`, site: null }));
  const closed: true = (await client.shopBrands.close(brand.id, { reason: 'sold' })).data.closed;
  const logo: Blob = (await client.shopBrands.logo(brand.id)).data;
  const nothing: undefined = (await client.shopBrands.replaceLogo(brand.id, logo)).data;
  const csv: string = (await client.shopBrands.export({ year: 2026 })).data;
  console.log(list, ofCountry, site, tags, rank, closed, nothing, csv);
  // @ts-expect-error the year is required
  await client.shopBrands.export();
  // @ts-expect-error nothing sorts by kind
  client.shopBrands.list({ sort: 'kind:asc' });
  // @ts-expect-error a sort has a direction
  client.shopBrands.listOfCountry(7, { sort: 'kind' });
  // @ts-expect-error there is no such kind
  client.shopBrands.list({ kind: 'old' });
  // @ts-expect-error there is no PUT, nor DELETE
  client.shopBrands.replace(1, {});
}

export function errors(error: unknown): number {
  if (isError(error, 'BRAND_EXISTS')) return error.status satisfies 409;
  if (isErrorOf(error, 'shopBrands.create')) return error.status satisfies 409;
  if (isErrorOf(error, 'shopBrands.list')) return error.status satisfies 412 | 429;
  return 0;
}
