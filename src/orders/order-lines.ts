import { ApiError, ErrorDetail, UNPROCESSABLE_ENTITY } from '@plinth/core';

import { PRODUCT_NOT_FOUND } from '../products/product.errors.js';
import type { Product } from '../products/product.entity.js';
import type { OrderItem } from './order.entity.js';
import { PRODUCT_OUT_OF_STOCK } from './order.errors.js';

export interface OrderLine {
  readonly productId: number;
  readonly quantity: number;
}

export type LockedProduct = Pick<Product, 'id' | 'name' | 'price' | 'inStock'>;

export type PricedLine = OrderLine & Pick<OrderItem, 'productName' | 'unitPrice'>;

/**
 * Returns order lines with the current names and prices of their products.
 *
 * @param field returns the name of the body field that contains the product id of a line
 * @throws ApiError `UNPROCESSABLE_ENTITY` for products that are unknown or repeated; `PRODUCT_OUT_OF_STOCK`
 */
export function priceLines(
  lines: readonly OrderLine[],
  products: ReadonlyMap<number, LockedProduct>,
  field: (index: number) => string = (index) => `items.${index}.productId`,
): PricedLine[] {
  const faults = lines.flatMap(({ productId }, index): ErrorDetail[] => {
    const isNamedTwice = lines.findIndex((line) => line.productId === productId) < index;
    if (!isNamedTwice && products.has(productId)) return [];
    const [code, message] = isNamedTwice
      ? ['DUPLICATE', `must not repeat a product (got ${productId})`]
      : [PRODUCT_NOT_FOUND.code, `must be an existing product (got ${productId})`];
    return [{ field: field(index), code, message }];
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
  return lines.map(({ productId, quantity }) => {
    const { name, price } = products.get(productId) as LockedProduct;
    return { productId, quantity, productName: name, unitPrice: price };
  });
}
