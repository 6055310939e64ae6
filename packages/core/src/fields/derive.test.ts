import { readBody } from '../../../../test/support/read-body.js';
import { BodyOf, PatchOf, PickOf } from './derive.js';
import { Dto, FieldOptions, fieldsOf } from './field.js';
import { jsonSchemaFor } from './response-schema.js';
import { Decimal, Flag, Id, Money, Text } from './fields.js';

class Lamp {
  @Id({ readOnly: true })
  id: number;

  @Text({ max: 20, example: 'Walnut' })
  name: string;

  @Money()
  price: number;

  @Text({ max: 10, nullable: true })
  category: string | null;

  @Flag({ default: true })
  inStock: boolean;

  @Decimal({ precision: 3, scale: 2, nullable: true, readOnly: true })
  rating: number | null;

  /** A property that is not a field. */
  computed: string;
}

const optionsOf = (dto: Dto, name: string): FieldOptions => fieldsOf(dto).get(name)!.options;

/** Fails to compile if the two types differ. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
const isSame = <A, B>(same: Same<A, B>): void => {
  expect(same).toBe(true);
};

describe('PickOf()', () => {
  class LampDto extends PickOf(Lamp, ['name', 'id', 'inStock', 'category']) {}

  it('has the named fields, in the order of the names', () => {
    expect([...fieldsOf(LampDto).keys()]).toEqual(['name', 'id', 'inStock', 'category']);
    expect(jsonSchemaFor(LampDto).required).toEqual(['name', 'id', 'inStock', 'category']);
  });

  it('has the types of the fields', () => {
    isSame<
      Pick<LampDto, keyof LampDto>,
      { name: string; id: number; inStock: boolean; category: string | null }
    >(true);
  });

  it('has no defaults, because a response shows every field', () => {
    expect(optionsOf(LampDto, 'inStock')).not.toHaveProperty('default');
  });

  it('overrides options of a field, in the class and in its type', () => {
    class Other extends PickOf(Lamp, ['name', 'category'], {
      name: { nullable: true, example: null },
      category: { nullable: false, optional: true },
    }) {}
    expect(optionsOf(Other, 'name')).toMatchObject({ nullable: true, example: null, max: 20 });
    expect(optionsOf(Other, 'category')).toMatchObject({ nullable: false, optional: true });
    isSame<Pick<Other, keyof Other>, { name: string | null; category?: string }>(true);
  });

  it('does not change its source, and can itself be a source', () => {
    class Less extends PickOf(LampDto, ['id']) {}
    expect([...fieldsOf(Less).keys()]).toEqual(['id']);
    expect(fieldsOf(Lamp).get('inStock')!.options.default).toBe(true);
  });

  it('refuses names that are not fields', () => {
    // @ts-expect-error -- it has no such property
    expect(() => PickOf(Lamp, ['colour'])).toThrow(
      'Lamp has no field colour; its fields are id, name, price',
    );
    // It is a property but not a field, so nothing validates or shows it.
    expect(() => PickOf(Lamp, ['computed'])).toThrow('Lamp has no field computed');
  });

  it('refuses contradictory overrides at compile time', () => {
    // @ts-expect-error -- it is not picked
    PickOf(Lamp, ['name'], { price: { example: 1 } });
    // @ts-expect-error -- its value has another type
    BodyOf(Lamp, ['name'], { name: { default: 7 } });
    // @ts-expect-error -- a rule cannot be overridden, because it would contradict the column
    PickOf(Lamp, ['name'], { name: { max: 7 } });
  });
});

describe('BodyOf()', () => {
  class LampBody extends BodyOf(Lamp, ['name', 'category', 'inStock']) {}
  class NewLampBody extends BodyOf(Lamp, ['name', 'category'], { category: { nullable: false } }) {}

  const read = <T extends object>(dto: Dto<T>, body: object): object => ({
    ...readBody(body, dto),
  });
  const codes = (dto: Dto, body: object): unknown => {
    try {
      return read(dto, body);
    } catch (error) {
      return (error as { details: { field: string; code: string }[] }).details.map(
        ({ field, code }) => `${field} ${code}`,
      );
    }
  };

  it.each<[string, Dto, object, unknown]>([
    [
      'fills in defaults, and null for a missing nullable field',
      LampBody,
      { name: 'x' },
      { name: 'x', inStock: true, category: null },
    ],
    [
      'keeps the values that are sent',
      LampBody,
      { name: 'x', inStock: false, category: 'y' },
      { name: 'x', inStock: false, category: 'y' },
    ],
    ['requires only fields without a default', LampBody, {}, ['name REQUIRED']],
    ['refuses an unknown field', LampBody, { name: 'x', hue: 1 }, ['hue UNKNOWN_FIELD']],
    [
      'refuses null if an override makes the field not nullable',
      NewLampBody,
      { name: 'x', category: null },
      ['category WRONG_TYPE'],
    ],
    [
      'requires a field that an override makes not nullable',
      NewLampBody,
      { name: 'x' },
      ['category REQUIRED'],
    ],
  ])('%s', (_, dto, body, expected) => {
    expect(codes(dto, body)).toEqual(expected);
  });

  it('has the types of the fields', () => {
    isSame<Pick<LampBody, keyof LampBody>, { name: string; category: string | null; inStock: boolean }>(true);
    isSame<Pick<NewLampBody, keyof NewLampBody>, { name: string; category: string }>(true);
  });

  it('refuses a field that only the server writes', () => {
    expect(() => BodyOf(Lamp, ['name', 'id'])).toThrow('Lamp.id is read-only and cannot be in a body');
  });
});

describe('PatchOf()', () => {
  class PatchLamp extends PatchOf(BodyOf(Lamp, ['name', 'category', 'inStock'])) {}

  it('has every field, none of them required or with a default', () => {
    isSame<Pick<PatchLamp, keyof PatchLamp>, { name?: string; category?: string | null; inStock?: boolean }>(
      true,
    );
    expect({ ...readBody({}, PatchLamp) }).toEqual({});
    expect(jsonSchemaFor(PatchLamp).required).toEqual([]);
  });
});
