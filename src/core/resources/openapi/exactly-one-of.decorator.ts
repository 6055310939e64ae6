import { getSchemaPath } from '@nestjs/swagger';

const exclusive = new Map<NewableFunction, readonly string[]>();

/**
 * Documents that a body has exactly one of some nullable fields, the others being `null` or absent. The service checks
 * it.
 *
 * @example @ExactlyOneOf('userId', 'apiKeyId') export class CreateAccessGrantDto { … }
 */
export const ExactlyOneOf =
  (...names: string[]): ClassDecorator =>
  (dto) => {
    exclusive.set(dto, names);
  };

/** The fields of which a body has exactly one, by references to their schemas. */
export const exclusiveFields = (): [string, readonly string[]][] =>
  [...exclusive].map(([dto, names]) => [getSchemaPath(dto), names]);
