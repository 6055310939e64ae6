import { Representation } from '../resources/representation.js';
import { ProductDto } from './dto/product.dto.js';
import { ProductRow } from './products.repository.js';

export function toProduct(row: ProductRow): ProductDto {
  return {
    id: row.id,
    name: row.name,
    price: row.price,
    inStock: row.inStock,
    category: row.category,
    rating: row.rating,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export const productOf = (row: ProductRow): Representation<ProductDto> =>
  new Representation(toProduct(row), row);
