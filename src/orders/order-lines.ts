import { ApiError, ErrorDetail, UNPROCESSABLE_ENTITY } from '@plinth/core';

import { PRODUCT_NOT_FOUND } from '../products/product.errors.js';
import type { Product } from '../products/product.entity.js';
import { PRODUCT_OUT_OF_STOCK } from './order.errors.js';

export interface OrderLine {
  readonly productId: number;
  readonly quantity: number;
}

export type LockedProduct = Pick<Product, 'id' | 'name' | 'price' | 'inStock'>;

export interface PricedLine extends OrderLine {
  readonly productName: string;
  readonly unitPrice: number;
}

/** Lines with the names and prices of their products as they are now. @param field of a line's product in the body */
export function priceLines(
  lines: readonly OrderLine[],
  products: ReadonlyMap<number, LockedProduct>,
  field: (index: number) => string = (index) => `items.${index}.productId`,
): PricedLine[] {
  const faults: ErrorDetail[] = [];
  const seen = new Set<number>();
  const result = lines.flatMap(({ productId, quantity }, index) => {
    const product = products.get(productId);
    const isNamedTwice = seen.has(productId);
    seen.add(productId);
    const fault = (code: string, message: string): void =>
      void faults.push({ field: field(index), code, message });
    if (isNamedTwice) fault('DUPLICATE', `names the product ${productId} again`);
    else if (!product) fault(PRODUCT_NOT_FOUND.code, `there is no product ${productId}`);
    return product ? { productId, quantity, productName: product.name, unitPrice: product.price } : [];
  });
  if (faults.length > 0) {
    const message = faults.map((fault) => `${fault.field}: ${fault.message}`).join('; ');
    throw new ApiError(UNPROCESSABLE_ENTITY, message, { details: faults });
  }
  const outOfStock = lines.filter(({ productId }) => products.get(productId)?.inStock === false);
  if (outOfStock.length > 0) {
    const ids = outOfStock.map(({ productId }) => productId).join(', ');
    throw new ApiError(PRODUCT_OUT_OF_STOCK, `Out of stock: ${ids}.`);
  }
  return result;
}
