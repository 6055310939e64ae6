import { Representation } from '../../resources/representation.js';
import { toProduct } from '../product.mapper.js';
import { ProductRow } from '../products.repository.js';
import { ProductV2Dto } from './product.dto.js';

export function toProductV2(row: ProductRow): ProductV2Dto {
  return { ...toProduct(row), description: row.description, currency: 'USD', reviewCount: row.reviewCount };
}

export const productV2Of = (row: ProductRow): Representation<ProductV2Dto> =>
  new Representation(toProductV2(row), row);
