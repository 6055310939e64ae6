/** Cases of reviews: listing those of a product. */
import { get, isSameList, OK } from './requests.mjs';

/** @type {import('../cases.mjs').Case[]} */
export const reviewCases = [
  {
    name: 'reviews',
    title: 'Reviews of a product',
    status: OK,
    pairs: async ({ reviewed }) =>
      [1, 2].flatMap((page) => reviewed.map((id) => get(`/products/${id}/reviews?page=${page}`))),
    isSame: isSameList,
  },
];
