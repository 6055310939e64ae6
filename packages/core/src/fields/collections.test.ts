import 'reflect-metadata';

import { ApiProperty } from '@nestjs/swagger';
import { IsString, validateSync } from 'class-validator';

import { faultsOf, readBody } from '../../../../test/support/read-body.js';
import { ChoiceArray, Json, TextArray } from './collections.js';
import { BodyOf, PatchOf, PickOf } from './derive.js';
import { Dto } from './field.js';
import { Integer, ListOf, Nested, Password, Text, Timestamp } from './fields.js';
import { jsonCodec } from './json-codec.js';
import { hasMergePatch, mergeJson } from './merge-patch.js';

class Size {
  @Integer()
  width: number;

  @Integer({ default: 1 })
  height: number;
}

class Maker {
  @Text({ max: 9 })
  name: string;

  @Timestamp({ optional: true })
  since?: string;

  @Nested(Size, { nullable: true, default: null })
  size: Size | null;

  @ListOf(Size, { min: 0, max: 2, default: [] })
  others: Size[];
}

class Lamp {
  @TextArray({ maxItems: 2, max: 3 })
  tags: string[];

  @ChoiceArray({ of: ['a', 'b'], default: [] })
  words: string[];

  @Json({ type: Maker, nullable: true })
  maker: Maker | null;
}

class LampDto extends PickOf(Lamp, ['tags', 'words', 'maker']) {}
class LampBodyDto extends BodyOf(LampDto, ['tags', 'words', 'maker']) {}
class PatchLampDto extends PatchOf(LampBodyDto) {}

const declare = (decorate: PropertyDecorator): Dto => {
  // oxlint-disable-next-line typescript/no-extraneous-class -- the decorator declares its property
  class Part {}
  decorate(Part.prototype, 'one');
  return Part;
};

class Tree {
  @Text({ max: 9 })
  name: string;

  @ListOf(Tree, { min: 0, max: 2 })
  branches: Tree[];
}

describe('@Json()', () => {
  it.each<[string, Dto, string]>([
    [
      'a read-only member',
      declare(Text({ max: 9, readOnly: true })),
      'Part.one: a member of @Json() must not be read-only',
    ],
    [
      'a computed member',
      declare(Text({ max: 9, computed: () => '1' })),
      'Part.one: a member of @Json() must not be read-only',
    ],
    ['a password', declare(Password()), 'or a password'],
    [
      'a password deep inside',
      declare(Nested(declare(Password()))),
      'Part.one: a member of @Json() must not be',
    ],
    [
      'a member with rules of class-validator only',
      declare(IsString()),
      'Part.one: a member of @Json() must have a field decorator',
    ],
    [
      'a member with @ApiProperty() only',
      declare(ApiProperty()),
      'Part.one: a member of @Json() must have a field decorator',
    ],
    ['itself in a list', Tree, '@Json() must have a type that does not contain itself (got Tree)'],
    ['no members', declare(() => undefined), '@Json() must have a type with fields (got Part)'],
  ])('refuses a class with %s', (_, type, message) => {
    expect(() => Json({ type })).toThrow(message);
  });

  it('stores declared members only, and times in UTC', () => {
    const value = {
      name: 'Ada',
      since: '2026-11-20T10:30:00+01:00',
      size: { width: 1, x: 1 },
      others: [{ height: 2, y: 1 }],
      z: 1,
    };
    expect(jsonCodec(Maker).to(value)).toEqual({
      name: 'Ada',
      since: '2026-11-20T09:30:00.000Z',
      size: { width: 1 },
      others: [{ height: 2 }],
    });
    expect(jsonCodec(Maker).to(null)).toBeNull();
  });
});

describe('the body of a PATCH', () => {
  const patch = readBody({ maker: { size: { width: 5 } } }, PatchLampDto) as Partial<Lamp>;

  it('has only the members that are sent, and no defaults', () => {
    expect(JSON.parse(JSON.stringify(patch))).toEqual({ maker: { size: { width: 5 } } });
    expect(faultsOf(PatchLampDto, { maker: { name: null, size: { width: -1 } } })).toBe(
      '400 maker.name:WRONG_TYPE maker.size.width:TOO_SMALL',
    );
    expect(hasMergePatch(patch)).toBe(true);
    expect(hasMergePatch(readBody({ tags: [], maker: { name: 'Ada' } }, LampBodyDto))).toBe(false);
  });

  it('is merged into JSON, and requires what is then still missing', () => {
    const row = (maker: object | null): Lamp => ({ tags: [], words: [], maker: maker as Maker });
    expect(mergeJson(Lamp, row({ name: 'Ada', size: { width: 1, height: 3 }, others: [] }), patch)).toEqual({
      maker: { name: 'Ada', size: { width: 5, height: 3 }, others: [] },
    });
    expect(() => mergeJson(Lamp, row(null), patch)).toThrow('maker.name: is required');
    expect(mergeJson(Lamp, row({ name: 'Ada', size: null }), patch)).toEqual({
      maker: { name: 'Ada', size: { width: 5, height: 1 }, others: [] },
    });
  });

  it('is refused where its members would replace the whole JSON', () => {
    expect(() => jsonCodec(Maker).to(patch.maker)).toThrow(
      'changes of Maker must be written by ResourceRepository.update()',
    );
    expect(() => mergeJson(Lamp, {} as Lamp, patch)).toThrow(
      'Lamp.maker cannot be merged, because it is never read',
    );
  });
});

describe('the items of an array', () => {
  it('have the same rules for class-validator, which reports them together', () => {
    const lamp = Object.assign(new LampBodyDto(), { tags: ['ok', 'long', ''], words: ['c', 'c'] });
    const errors = validateSync(lamp).map(({ property, constraints }) => [
      property,
      Object.keys(constraints ?? {}).sort(),
    ]);
    expect(errors).toEqual([
      ['tags', ['BLANK', 'TOO_LONG', 'TOO_MANY']],
      ['words', ['DUPLICATE', 'NOT_ALLOWED']],
    ]);
  });

  it('belong to one body: a default is copied', () => {
    const read = (): LampBodyDto => readBody({ tags: [] }, LampBodyDto);
    read().words.push('a');
    expect(read().words).toEqual([]);
  });

  it('are bounded by the number of words if no bound is given', () => {
    expect(faultsOf(LampBodyDto, { tags: [], words: ['a', 'b', 'a'] })).toBe('422 words:TOO_MANY');
  });
});
