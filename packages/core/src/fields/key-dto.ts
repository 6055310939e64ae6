import { Dto } from './field.js';
import { dtoSchemaFor, isDto, JsonObject } from './dto-schema.js';
import { id } from './fields.js';
import { parseId } from './parse-id.pipe.js';

/** Whether a class is the key of a row: a DTO whose fields are all ids. It is read from a path as `ParseIdPipe` reads one id. */
export const isKeyDto = (type: unknown): type is Dto =>
  isDto(type) && [...dtoSchemaFor(type).properties.values()].every(({ field }) => field?.type === id);

/**
 * Reads the ids of a path. An integer that is the id of no row, however large, is read as `NO_SUCH_ID`: the row is not
 * found.
 * @throws ApiError `INVALID_ID` for the first one that is not an integer
 */
export function readKey<T extends object>(key: Dto<T>, path: JsonObject): T {
  const ids = [...dtoSchemaFor(key).properties].map(([parameter, { name }]) => [
    name,
    parseId(String(path[parameter]), parameter),
  ]);
  return Object.assign(new key(), Object.fromEntries(ids) as Partial<T>);
}

/** The path parameters that a key is read from. */
export const keyParameters = (key: Dto): string[] => [...dtoSchemaFor(key).properties.keys()];
