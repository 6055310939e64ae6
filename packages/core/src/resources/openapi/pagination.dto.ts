import { ApiSchema } from '@nestjs/swagger';

import { Flag, Integer, Text } from '../../fields/fields.js';
import { MAX_LIMIT } from '../../lists/list-query.js';

const PAGE_NUMBER_OPTIONS = { optional: true, min: 1, max: Number.MAX_SAFE_INTEGER } as const;

/**
 * Pages by number and by cursor share one schema with optional properties, because client generators handle unions
 * badly.
 */
export
@ApiSchema({ name: 'Pagination' })
class PaginationDto {
  @Integer({
    ...PAGE_NUMBER_OPTIONS,
    example: 1,
    description: 'Pages by cursor have no `page`, `limit`, `total` and `totalPages`.',
  })
  page?: number;

  @Integer({ ...PAGE_NUMBER_OPTIONS, max: MAX_LIMIT, example: 20 })
  limit?: number;

  @Integer({
    ...PAGE_NUMBER_OPTIONS,
    min: 0,
    example: 1,
    description: 'The number of items in the whole list when the page was read.',
  })
  total?: number;

  @Integer({ ...PAGE_NUMBER_OPTIONS, min: 0, example: 1 })
  totalPages?: number;

  @Text({
    optional: true,
    max: 4096,
    nullable: true,
    example: 'tqR1oQ0nM2Xw6pY8cVbLdVsicHJvZHVjdHMiLDQyXQ',
    description:
      'Send it as `cursor` to get the next page. `null` on the last page. Pages by number have no `nextCursor`.',
  })
  nextCursor?: string | null;

  @Flag({
    optional: true,
    example: true,
    description: 'Whether another page follows. Pages by number have no `hasMore`.',
  })
  hasMore?: boolean;
}
