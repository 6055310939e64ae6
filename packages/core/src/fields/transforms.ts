import { TransformationType, TypeMetadata } from 'class-transformer';
// NestJS's mapped types (`PartialType()`) read the same file: class-transformer exports no other way to ask.
import { defaultMetadataStorage as storage } from 'class-transformer/cjs/storage.js';

import { Dto } from './field.js';

/** How class-transformer makes a property of an instance from JSON. */
export interface Transforms {
  /** The name in JSON: that of `@Expose({ name })`, else the property's own. */
  readonly jsonName: string;
  /** Whether what is sent is dropped: by `@Exclude()`, or by `@Expose()` for some groups only. */
  readonly isDropped: boolean;
  /** Whether a `@Transform()` makes the value. */
  readonly isTransformed: boolean;
  /** The arguments of `@Type()`. */
  readonly typeMetadata: TypeMetadata | undefined;
}

const PLAIN_TO_CLASS = TransformationType.PLAIN_TO_CLASS;

export function readTransforms(dto: Dto, name: string): Transforms {
  const isExposed = storage.getExposedProperties(dto, PLAIN_TO_CLASS).includes(name);
  const own = isExposed ? storage.findExposeMetadata(dto, name) : undefined;
  const wireName = own?.options.name ?? name;
  // It looks for what excludes a value, and for groups, by the name in JSON.
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
