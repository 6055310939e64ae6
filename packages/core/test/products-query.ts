import 'reflect-metadata';

import { Choice, Decimal, Flag, Id, Integer, Money, Text, Timestamp } from '../src/fields/fields.js';
import { ApiError } from '../src/http/errors/api-error.js';
import { CursorCodec } from '../src/lists/cursor.js';
import { anyOf, atLeast, atMost, equals } from '../src/lists/filters.js';
import { defineList } from '../src/lists/list-definition.js';
import { ParsedListQuery, readListQuery } from '../src/lists/list-query.js';

class Order {
  @Timestamp()
  createdAt: string;
  @Money()
  price: number;
}

class Product extends Order {
  @Text({ max: 20 })
  category: string;
  @Flag()
  inStock: boolean;
  @Text({ max: 20 })
  name: string;
  @Choice({ of: ['new', 'old'] })
  status: string;
  @Id()
  makerId: number;
  @Integer({ min: 1, max: 5 })
  stars: number;
  @Decimal({ precision: 3, scale: 2, nullable: true })
  rating: number | null;
}

export const products = defineList(Product, {
  name: 'products',
  filters: {
    category: anyOf('category'),
    inStock: equals('inStock'),
    minPrice: atLeast('price'),
    maxPrice: atMost('price'),
    status: anyOf('status'),
    makerId: anyOf('makerId'),
    stars: equals('stars'),
  },
  sorts: ['price', 'rating', 'name'],
});
export const orders = defineList(Order, { name: 'orders', sorts: ['price'] });
export const cursors = new CursorCodec(['a-secret-of-the-service-of-32-bytes!']);

export const read = (text: string, definition = products): ParsedListQuery =>
  readListQuery(definition, text, cursors);

/** The error with which a query is refused. */
export function errorOf(text: string, definition = products): ApiError {
  try {
    read(text, definition);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}
