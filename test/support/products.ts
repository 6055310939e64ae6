import { randomBytes } from 'node:crypto';

import { Answer, Client } from '@plinth/dev/testing';

export { errorOf, faultsOf } from '@plinth/dev/testing';

/** A product as v1 shows it. v2 adds the last three fields. */
export interface Product {
  readonly id: number;
  readonly name: string;
  readonly price: number;
  readonly inStock: boolean;
  readonly category: string | null;
  readonly rating: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly description?: string | null;
  readonly currency?: string;
  readonly reviewCount?: number;
}

/** A created product, with the validators of its first version. */
export interface Created {
  readonly product: Product;
  readonly etag: string;
  readonly lastModified: string;
  /** The path under the version that created it. */
  readonly path: string;
}

/** A category that no other test uses, in any database. */
export const uniqueCategory = (label: string): string => `${label} ${randomBytes(6).toString('hex')}`;

/** Creates a product. Values that are not given do not matter. */
export async function createProduct(
  client: Client,
  values: object = {},
  version: 'v1' | 'v2' = 'v1',
): Promise<Created> {
  const defaults = { name: 'Oak shelf', price: 10, category: 'of no matter' };
  const answer = await client.post(`/api/${version}/products`, { ...defaults, ...values });
  if (answer.status !== 201) throw new Error(`the product was not created: ${answer.text}`);
  const product = productIn(answer);
  return { product, ...validatorsOf(answer), path: `/api/${version}/products/${product.id}` };
}

export const productIn = (answer: Answer): Product => answer.body as Product;

/** The validators of a response. A missing one is an empty string. */
export function validatorsOf({ headers }: Answer): { etag: string; lastModified: string } {
  return { etag: headers.get('etag') ?? '', lastModified: headers.get('last-modified') ?? '' };
}
