import { atLeastMoney, atMostMoney, defineList, equalsFlag, equalsText } from '../lists/list-definition.js';

/** What can be asked of the product catalogue. Each sort has its indexes, alone and within a category. */
export const productList = defineList({
  name: 'products',
  filters: {
    category: equalsText('category', 100),
    inStock: equalsFlag('inStock'),
    minPrice: atLeastMoney('price'),
    maxPrice: atMostMoney('price'),
  },
  ranges: [['minPrice', 'maxPrice']],
  sorts: {
    price: { type: 'number' },
    rating: { type: 'number', isNullable: true },
    name: { type: 'text' },
  },
});
