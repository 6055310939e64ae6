import { ApiError } from '@plinth/core';
import { LockedProduct, OrderLine, priceLines } from './order-lines.js';

const lamp: LockedProduct = { id: 1, name: 'Lamp', price: 49.9, inStock: true };
const desk: LockedProduct = { id: 2, name: 'Desk', price: 300, inStock: false };
const products = new Map([lamp, desk].map((product) => [product.id, product]));

const refusal = (...lines: OrderLine[]): ApiError => {
  try {
    priceLines(lines, products);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error('the order was not refused');
};

describe('the lines of an order', () => {
  test('copy the names and prices of their products', () => {
    expect(priceLines([{ productId: 1, quantity: 3 }], products)).toEqual([
      { productId: 1, quantity: 3, productName: 'Lamp', unitPrice: 49.9 },
    ]);
  });

  test('are refused with all faults if products are unknown or repeated', () => {
    const error = refusal(
      { productId: 9, quantity: 1 },
      { productId: 1, quantity: 1 },
      { productId: 1, quantity: 1 },
      { productId: 2, quantity: 1 },
    );
    expect(error.status).toBe(422);
    expect(error.details).toEqual([
      { field: 'items.0.productId', code: 'PRODUCT_NOT_FOUND', message: expect.any(String) },
      { field: 'items.2.productId', code: 'DUPLICATE', message: expect.any(String) },
    ]);
  });

  test('are refused if a product is out of stock', () => {
    expect(refusal({ productId: 2, quantity: 1 }).type.code).toBe('PRODUCT_OUT_OF_STOCK');
  });
});
