import { ApiSchema } from '@nestjs/swagger';

import { Flag, Integer, Text } from '../../fields/fields.js';

const MAX = Number.MAX_SAFE_INTEGER;

@ApiSchema({ name: 'OffsetPagination' })
export class OffsetPaginationDto {
  @Integer({ min: 1, max: MAX, example: 1 })
  page: number;

  @Integer({ min: 1, max: 100, example: 20 })
  limit: number;

  @Integer({
    min: 0,
    max: MAX,
    example: 1,
    description: 'Items of the whole list, of the same moment as the page.',
  })
  total: number;

  @Integer({ min: 0, max: MAX, example: 1 })
  totalPages: number;
}

@ApiSchema({ name: 'CursorPagination' })
export class CursorPaginationDto {
  @Text({
    max: 4096,
    nullable: true,
    example: 'tqR1oQ0nM2Xw6pY8cVbLdVsicHJvZHVjdHMiLDQyXQ',
    description: 'For `cursor`; null on the last page.',
  })
  nextCursor: string | null;

  @Flag({ example: true })
  hasMore: boolean;
}
