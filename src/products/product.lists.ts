import { atLeastMoney, atMostMoney, defineList, equalsFlag, equalsText } from '../lists/list-definition.js';
import { ProductEntity } from './product.entity.js';

/** What can be asked of the product catalogue. Each sort has its indexes, alone and within a category. */
export const productList = defineList(ProductEntity, {
  name: 'products',
  filters: {
    category: equalsText('category', 100),
    inStock: equalsFlag('inStock'),
    minPrice: atLeastMoney('price'),
    maxPrice: atMostMoney('price'),
  },
  ranges: [['minPrice', 'maxPrice']],
  sorts: ['price', 'rating', 'name'],
});
