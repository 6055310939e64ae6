import { TransformationType, TypeMetadata } from 'class-transformer';
// class-transformer does not export its storage. NestJS's mapped types (`PartialType()`) import the same file.
import { defaultMetadataStorage as storage } from 'class-transformer/cjs/storage.js';

import { Dto } from './field.js';

/** The decorators of class-transformer on a property, in a typed form. */
export interface Transforms {
  /** The name in JSON: the `name` of `@Expose({ name })`, or else the name of the property. */
  readonly jsonName: string;
  /** Whether the value in a body is dropped, because of `@Exclude()`, or of `@Expose()` with groups. */
  readonly isDropped: boolean;
  /** Whether a `@Transform()` computes the value. */
  readonly isTransformed: boolean;
  /** The arguments of `@Type()`. */
  readonly typeMetadata: TypeMetadata | undefined;
}

const { PLAIN_TO_CLASS, CLASS_TO_PLAIN } = TransformationType;

/** Returns the properties that `@Expose()` and `@Exclude()` name for responses. */
export const responseTransforms = (
  dto: Dto,
): { exposed: readonly string[]; excluded: readonly string[] } => ({
  exposed: storage.getExposedProperties(dto, CLASS_TO_PLAIN),
  excluded: storage.getExcludedProperties(dto, CLASS_TO_PLAIN),
});

/** Reads the decorators of class-transformer on a property. */
export function readTransforms(dto: Dto, name: string): Transforms {
  const isExposed = storage.getExposedProperties(dto, PLAIN_TO_CLASS).includes(name);
  const own = isExposed ? storage.findExposeMetadata(dto, name) : undefined;
  const wireName = own?.options.name ?? name;
  // class-transformer looks up exclusions and groups by the name in JSON.
  const isExcluded = storage.getExcludedProperties(dto, PLAIN_TO_CLASS).includes(wireName);
  const isOfGroups = hasGroups(storage.findExposeMetadata(dto, wireName));
  return {
    jsonName: wireName,
    isDropped: isExcluded || isOfGroups || (!isExposed && storage.getStrategy(dto) === 'excludeAll'),
    isTransformed: storage.findTransformMetadatas(dto, name, PLAIN_TO_CLASS).some((one) => !hasGroups(one)),
    typeMetadata: storage.findTypeMetadata(dto, name),
  };
}

const hasGroups = (metadata?: { options?: { groups?: unknown[] } }): boolean =>
  (metadata?.options?.groups?.length ?? 0) > 0;
