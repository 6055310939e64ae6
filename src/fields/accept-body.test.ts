import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsIn, IsOptional, Length, ValidateBy } from 'class-validator';
import fc from 'fast-check';

import { readJson } from '../http/body/json-body.js';
import { acceptBody } from './accept-body.js';
import { PatchOf } from './derive.js';
import { Dto } from './field.js';
import {
  Choice,
  Decimal,
  Email,
  Flag,
  Id,
  Integer,
  ListOf,
  Money,
  Nested,
  Text,
  Timestamp,
} from './fields.js';
import { ArrayOf, Json } from './json-fields.js';
import * as kinds from './kinds.js';
import { judgePayload, PayloadShape, readPayload } from './read-payload.js';

class SizeDto {
  @Integer({ min: 1, max: 9 })
  height: number;
  @Choice({ of: ['cm', 'in'], default: 'cm' })
  unit: string;
}

class PartDto {
  @Text({ max: 5 })
  name: string;
  @Nested(SizeDto, { optional: true, nullable: true })
  size?: SizeDto | null;
}

class LampDto {
  @Text({ max: 5, default: null, nullable: true })
  name: string | null;
  @Money()
  price: number;
  @Decimal({ optional: true })
  weight?: number;
  @Flag({ default: true })
  inStock: boolean;
  @Email({ optional: true })
  maker?: string;
  @Timestamp({ optional: true })
  soldAt?: string;
  @Json({ max: 20, optional: true })
  notes?: object;
  @ArrayOf(kinds.text({ max: 3 }), { max: 2, unique: true, default: [] })
  tags: string[];
  @ListOf(PartDto, { min: 1, max: 2 })
  parts: PartDto[];
}

class PatchLampDto extends PatchOf(LampDto) {}

/** A lamp as it is shown: the server owns `id`. */
class ShownLampDto extends LampDto {
  @Id()
  id: number;
}

const SHAPES: readonly PayloadShape<LampDto>[] = [
  { dto: LampDto, representation: undefined },
  { dto: LampDto, representation: ShownLampDto },
  { dto: LampDto, representation: undefined, dropsUnknown: true },
  { dto: PatchLampDto as Dto<LampDto>, representation: ShownLampDto, rules: {} },
];

const often = <T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 60, arbitrary: right }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) });
const text = fc.constantFrom('a', 'ab', 'abcd', '😀😀😀😀😀', 'abcdef', '', ' ', '\u0000', '\ud800');
const rightText = fc.constantFrom('a', 'ab', 'abc');
const size = fc.record(
  { height: often(fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)), unit: often(fc.constantFrom('cm', 'in')) },
  { requiredKeys: ['height'] },
);
const part = fc.record({ name: often(rightText), size: often(fc.option(size)) }, { requiredKeys: ['name'] });
const body = fc.record(
  {
    name: often(fc.oneof({ weight: 8, arbitrary: rightText }, fc.constant(null), text)),
    price: often(fc.constantFrom(0, 1, 1.5, 19.99, 100, 200, 9_999_999_999.99, 19.999, -1)),
    weight: often(fc.constantFrom(1, 1e300)),
    inStock: often(fc.boolean()),
    maker: often(fc.constantFrom(...Array<string>(9).fill('ada@example.com'), 'ada')),
    soldAt: often(fc.constantFrom(...Array<string>(9).fill('2026-11-20T09:30:00Z'), 'today')),
    notes: often(
      fc.constantFrom({}, { a: [1] }, { b: null }, { a: { c: 2 } }, { a: 'twenty characters or more' }),
    ),
    tags: often(fc.array(rightText, { maxLength: 2 })),
    parts: often(fc.array(often(part), { minLength: 1, maxLength: 2 })),
    id: fc.integer(),
    constructor: often(fc.constant(undefined)),
  },
  { requiredKeys: ['price', 'parts'] },
);

/** A function's value, or its error as clients see it. */
function outcomeOf(read: () => unknown): { value: unknown } | { error: unknown; details?: unknown } {
  try {
    return { value: read() };
  } catch (error) {
    return { error: String(error), details: (error as { details?: unknown }).details };
  }
}

test('the compiled check and class-validator agree on random bodies', () => {
  const counts = { taken: 0, refused: 0 };
  const agree = (given: unknown, shape: PayloadShape<LampDto>): void => {
    const judged = outcomeOf(() => judgePayload(given, shape));
    const accepted = acceptBody(given, shape);
    counts[accepted ? 'taken' : 'refused']++;
    expect(accepted).toEqual('value' in judged ? judged.value : undefined);
    expect(outcomeOf(() => readPayload(given, shape))).toEqual(judged);
    if (!accepted) return;
    expect(accepted).toBeInstanceOf(shape.dto);
    const { parts } = accepted as Partial<LampDto>;
    for (const item of parts ?? []) expect(item).toBeInstanceOf(PartDto);
  };
  fc.assert(fc.property(body, fc.constantFrom(...SHAPES), agree), { numRuns: 1000 });
  fc.assert(fc.property(fc.jsonValue(), fc.constantFrom(...SHAPES), agree), { numRuns: 200 });
  // That enough of both came: of 1,200 random bodies 120 are taken, give or take 10.
  expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(50);
});

test('a number that reading rounded is left to class-validator', () => {
  const given = readJson(Buffer.from('{"price":19.9900000000000000001,"parts":[{"name":"a"}]}'));
  expect(acceptBody(given, SHAPES[0] as PayloadShape)).toBeUndefined();
});

describe('a class with rules of its own is left to class-validator', () => {
  class ChosenDto {
    @Text({ max: 9 })
    @IsIn(['red', 'blue'])
    name: string;
  }
  class LeftOutDto {
    @Text({ max: 9 })
    @IsOptional()
    name?: string;
  }
  class NamedLikeAnotherDto {
    @Text({ max: 9 })
    @ValidateBy({ name: 'BLANK', validator: { validate: (value) => value !== 'x' } })
    name: string;
  }
  class StockDto {
    @Length(1, 9)
    name: string;
  }
  class TrimmedDto {
    @Text({ max: 9 })
    @Transform(({ value }) => String(value).trim())
    name: string;
  }
  class ExcludedDto {
    @Text({ max: 9, optional: true })
    @Exclude()
    name?: string;
  }
  class RenamedDto {
    @Text({ max: 9, optional: true })
    @Expose({ name: 'title' })
    name?: string;
  }
  @Exclude()
  class ClosedDto {
    @Text({ max: 9, optional: true })
    name?: string;
  }
  class TypedDto {
    @Text({ max: 9 })
    @Type(() => String)
    name: string;
  }
  class StartingDto {
    @Text({ max: 9, optional: true })
    name = 'Walnut';
  }
  class ParentDto {
    @Nested(ChosenDto)
    lamp: ChosenDto;
  }

  test.each<[Dto, object]>([
    [ChosenDto, { name: 'red' }],
    [LeftOutDto, { name: 'red' }],
    [NamedLikeAnotherDto, { name: 'red' }],
    [StockDto, { name: 'red' }],
    [TrimmedDto, { name: ' red ' }],
    [ExcludedDto, { name: 'red' }],
    [RenamedDto, { title: 'red' }],
    [ClosedDto, { name: 'red' }],
    [TypedDto, { name: 'red' }],
    [StartingDto, {}],
    [ParentDto, { lamp: { name: 'red' } }],
  ])('of %p: %j', (dto, given) => {
    expect(acceptBody(given, { dto, representation: undefined })).toBeUndefined();
  });

  test('and so is one that is given a rule later', () => {
    class LateDto {
      @Text({ max: 9 })
      name: string;
    }
    const shape = { dto: LateDto, representation: undefined };
    expect(acceptBody({ name: 'red' }, shape)).toEqual({ name: 'red' });
    IsIn(['blue'])(LateDto.prototype, 'name');
    expect(acceptBody({ name: 'red' }, shape)).toBeUndefined();
  });

  test('and so is a request with options for rules', () => {
    const given = { price: 1, parts: [{ name: 'a' }] };
    const shape = { dto: LampDto, representation: undefined, rules: { groups: ['stock'] } };
    expect(acceptBody(given, shape)).toBeUndefined();
  });
});
