/** Pages with a total, as all resources of the baseline return them. */

/** The schema of a page. @param {object} item the schema of a row */
export const pageOf = (item) => ({
  type: 'object',
  properties: {
    data: { type: 'array', items: item },
    pagination: {
      type: 'object',
      properties: {
        page: { type: 'integer' },
        limit: { type: 'integer' },
        total: { type: 'integer' },
        totalPages: { type: 'integer' },
        nextCursor: { type: 'string', nullable: true },
        hasMore: { type: 'boolean' },
      },
    },
  },
});

/**
 * @param {{ page?: string, limit?: string }} parameters of the query string
 * @returns {{ page: number, limit: number, offset: number }}
 */
export function rangeOf({ page = '1', limit = '20' }) {
  const size = Number(limit);
  return { page: Number(page), limit: size, offset: (Number(page) - 1) * size };
}

/**
 * @param {{ listTotal: number }[]} data rows that each have the total of the list, which the schema removes
 * @param {{ page: number, limit: number }} range
 */
export const toPage = (data, { page, limit }) => {
  const total = data[0]?.listTotal ?? 0;
  return { data, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } };
};
