import {
  FieldDeclaration,
  declareField,
  Dto,
  FieldOptions,
  FieldClass,
  fieldsOf,
  FieldType,
  setIgnoredFields,
  ignoredFields,
} from './field.js';
import { markMergePatch } from './merge-patch.js';
import { inheritRules } from './validator-rules.js';

/** The options of a field that `PickOf()` and `BodyOf()` can change. */
export type Override<V> = Pick<FieldOptions, 'nullable' | 'optional' | 'description' | 'example'> & {
  default?: V;
};

export type Overrides<T, K extends keyof T> = { readonly [P in K]?: Override<T[P]> };

type Overridden<V, O> = O extends { nullable: true }
  ? V | null
  : O extends { nullable: false }
    ? Exclude<V, null>
    : V;

type OptionalIn<O> = { [P in keyof O]: O[P] extends { optional: true } ? P : never }[keyof O];

type Flat<T> = { [P in keyof T]: T[P] };

export type Picked<T, K extends keyof T, O> = Flat<
  {
    [P in keyof Pick<T, Exclude<K, OptionalIn<O>>>]: P extends keyof O ? Overridden<T[P], O[P]> : T[P];
  } & {
    [P in Extract<K, OptionalIn<O>>]?: P extends keyof O ? Overridden<T[P], O[P]> : T[P];
  }
>;

type NoExtraKeys<O, K extends PropertyKey> = O & Readonly<Record<Exclude<keyof O, K>, never>>;

/**
 * Creates a response DTO from some fields of an entity or of another DTO. A response always contains every field, so
 * the fields have no defaults. For request bodies, use `BodyOf()`.
 *
 * Decorators of class-validator on a field, such as `@Matches()`, apply in the derived class, too. Decorators of
 * class-transformer do not: put them in the DTO.
 * @throws Error if the source has no such field
 * @example export class ProductDto extends PickOf(Product, ['id', 'name', 'price']) {}
 */
export function PickOf<
  T extends object,
  const K extends readonly (keyof T & string)[],
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- its keys are those that are picked
  const O extends Overrides<T, K[number]> = object,
>(source: FieldClass<T>, names: K, overrides?: NoExtraKeys<O, K[number]>): Dto<Picked<T, K[number], O>> {
  return deriveDto(source, names, (name, { options: { default: _, ...options }, declaredOptions }) => ({
    options: { ...options, ...findOverride(overrides, name) },
    declaredOptions,
  })) as Dto<Picked<T, K[number], O>>;
}

/**
 * Creates the DTO of a request body from some fields of a response DTO. A field that is missing in a body gets its
 * default, or `null` if it is nullable. All other fields are required. Clients may send back the whole response: its
 * other fields are ignored.
 * @throws Error if a field is read-only, or the source has no such field
 * @example class CreateProductDto extends BodyOf(ProductDto, ['name', 'price'], { price: { nullable: false } }) {}
 */
export function BodyOf<
  T extends object,
  const K extends readonly (keyof T & string)[],
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- its keys are those that are picked
  const O extends Overrides<T, K[number]> = object,
>(source: FieldClass<T>, names: K, overrides?: NoExtraKeys<O, K[number]>): Dto<Picked<T, K[number], O>> {
  const body = deriveDto(source, names, (name, { declaredOptions }) => {
    if (declaredOptions.readOnly)
      throw new Error(`${source.name}.${name} is read-only and cannot be in a body`);
    const options = { ...declaredOptions, ...findOverride(overrides, name) };
    const { nullable, optional } = options;
    if (!nullable && options.default === null) delete options.default;
    if (nullable && !optional && !('default' in options)) options.default = null;
    return { options };
  });
  // In addition to its fields, a row in a response has the member `etag`.
  setIgnoredFields(body, [...ignoredFields(source), ...fieldsOf(source).keys(), 'etag']);
  return body as Dto<Picked<T, K[number], O>>;
}

/**
 * Creates the DTO of a JSON merge patch (RFC 7396) from the DTO of a create body. In a patch, every field may be
 * missing. Unlike with `PartialType()` of NestJS, `null` is allowed only if the field is nullable. The members of a field of
 * `@Json()` may be missing, too: only those that are sent change. An array is replaced as a whole.
 * @example export class PatchProductDto extends PatchOf(CreateProductDto) {}
 */
export function PatchOf<T extends object>(dto: Dto<T>): Dto<Partial<T>> {
  const patch = derivePatch(dto, ({ column }) => column !== undefined);
  setIgnoredFields(patch, ignoredFields(dto));
  return patch;
}

/** @param isMerged whether the members of an object change one by one. If not, the object is replaced as a whole */
const derivePatch = (dto: Dto, isMerged: (type: FieldType) => boolean): Dto =>
  deriveDto(dto, [...fieldsOf(dto).keys()], (_name, { options: { default: _, ...options }, type }) => ({
    options: { ...options, optional: true },
    ...(type.nested &&
      type.schema.type === 'object' &&
      isMerged(type) && { type: { ...type, nested: mergePatchFor(type.nested) } }),
  }));

const mergePatches = new WeakMap<Dto, Dto>();

/** Returns the class of changes of JSON: the members of a class, of which each may be missing. */
function mergePatchFor(dto: Dto): Dto {
  const known = mergePatches.get(dto);
  if (known) return known;
  const patch = derivePatch(dto, () => true);
  Object.defineProperty(patch, 'name', { value: `Patch${dto.name}` });
  markMergePatch(patch);
  mergePatches.set(dto, patch);
  return patch;
}

const findOverride = (overrides: object | undefined, name: string): FieldOptions | undefined =>
  (overrides as Readonly<Record<string, FieldOptions>> | undefined)?.[name];

/** @param optionsOf returns the options of a field in the new class, and optionally its `declaredOptions` */
function deriveDto(
  source: FieldClass,
  names: readonly string[],
  optionsOf: (
    name: string,
    field: FieldDeclaration,
  ) => Pick<FieldDeclaration, 'options'> & Partial<FieldDeclaration>,
): Dto {
  const fields = fieldsOf(source);
  // oxlint-disable-next-line typescript/no-extraneous-class -- its fields are declared below, by hand
  class Derived {}
  for (const name of names) {
    const field = fields.get(name);
    if (!field)
      throw new Error(
        `${source.name} has no field ${name}; its fields are ${[...fields.keys()].join(', ')}. ` +
          'A property that has only @Column() is not a field: declare it in the DTO, with @ApiProperty()',
      );
    const { options, declaredOptions = options, type = field.type } = optionsOf(name, field);
    declareField(type, { ...options, column: false }, declaredOptions)(Derived.prototype, name);
    inheritRules(source, Derived, name, options);
  }
  return Derived;
}
