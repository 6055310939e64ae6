import { Expose } from 'class-transformer';

import { PickOf } from './derive.js';
import { Id, Integer, Text } from './fields.js';
import { isKeyDto, keyParameters, readKey } from './key-dto.js';
import { NO_SUCH_ID } from './parse-id.pipe.js';
import { DtoValidationPipe } from './validation.pipe.js';

class ReviewKey {
  @Expose({ name: 'id' })
  @Id()
  productId: number;

  @Expose({ name: 'reviewId' })
  @Id()
  id: number;
}

class PickedKey extends PickOf(ReviewKey, ['id']) {}

class NamedKey extends ReviewKey {
  @Text({ max: 20 })
  name: string;
}

class PageKey {
  @Integer({ min: 1 })
  page: number;
}

test.each([
  [ReviewKey, true],
  [PickedKey, true],
  [NamedKey, false],
  [PageKey, false],
  [Number, false],
])('isKeyDto(%p) is %p', (type, expected) => {
  expect(isKeyDto(type)).toBe(expected);
});

test('a key is read from the path parameters that @Expose() names', () => {
  expect(keyParameters(ReviewKey)).toEqual(['id', 'reviewId']);
  const key = readKey(ReviewKey, { id: '7', reviewId: '9', other: 'x' });
  expect(key).toBeInstanceOf(ReviewKey);
  expect({ ...key }).toEqual({ productId: 7, id: 9 });
});

test('an integer that is out of the range of ids is read as an id that no row has', () => {
  const key = readKey(ReviewKey, { id: '9'.repeat(30), reviewId: '-1' });
  expect({ ...key }).toEqual({ productId: NO_SUCH_ID, id: NO_SUCH_ID });
});

test('the first id that is not an integer is refused by the name of its parameter', async () => {
  const reading = new DtoValidationPipe().transform(
    { id: 'a', reviewId: '1.5' },
    { type: 'param', metatype: ReviewKey },
  );
  await expect(reading).rejects.toMatchObject({
    type: { code: 'INVALID_ID' },
    details: [{ field: 'id', code: 'WRONG_TYPE' }],
  });
});
