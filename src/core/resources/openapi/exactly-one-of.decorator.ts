import { Dto } from '../../fields/field.js';

const EXACTLY_ONE_OF = Symbol('exactly one of');

const declaring = new Set<Dto>();

/**
 * Documents that a body has exactly one of some nullable fields, the others being `null` or absent. The service checks
 * it.
 *
 * @example @ExactlyOneOf('userId', 'apiKeyId') export class CreateAccessGrantDto { … }
 */
export function ExactlyOneOf(...names: string[]): ClassDecorator {
  return (dto) => {
    Reflect.defineMetadata(EXACTLY_ONE_OF, names, dto);
    declaring.add(dto as unknown as Dto);
  };
}

/** The fields of which a body has exactly one, by the name of its schema. */
export function exclusiveFields(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...declaring].map((dto) => {
      const said = (Reflect.getMetadata('swagger/apiSchema', dto) ?? []) as { name?: string }[];
      return [said.at(-1)?.name ?? dto.name, Reflect.getMetadata(EXACTLY_ONE_OF, dto) as string[]];
    }),
  );
}
