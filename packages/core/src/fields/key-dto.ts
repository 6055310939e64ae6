import { Dto } from './field.js';
import { dtoSchemaFor, isDto, JsonObject } from './dto-schema.js';
import { id } from './fields.js';
import { parseId } from './parse-id.pipe.js';

/**
 * Whether a class is the DTO of a key: all its fields are ids. Each id is read from the path as `ParseIdPipe` reads an
 * id.
 */
export const isKeyDto = (type: unknown): type is Dto =>
  isDto(type) && [...dtoSchemaFor(type).properties.values()].every(({ field }) => field?.type === id);

/**
 * Reads the ids of a path. An integer that cannot be an id, such as a negative or a very large one, is read as
 * `NO_SUCH_ID`, so that the row is not found.
 * @throws ApiError `INVALID_ID` for the first parameter that is not an integer
 */
export function readKey<T extends object>(key: Dto<T>, path: JsonObject): T {
  const ids = [...dtoSchemaFor(key).properties].map(([parameter, { name }]) => [
    name,
    parseId(String(path[parameter]), parameter),
  ]);
  return Object.assign(new key(), Object.fromEntries(ids) as Partial<T>);
}

/** Returns the names of the path parameters from which a key is read. */
export const keyParameters = (key: Dto): string[] => [...dtoSchemaFor(key).properties.keys()];
