import { ValueTransformer } from 'typeorm';

import { Codec } from './codec.js';
import { Dto, fieldsOf, FieldType } from './field.js';
import { isMergePatch } from './merge-patch.js';

/**
 * Returns the codec of a column with JSON. It stores the fields of a class and nothing else, in the form in which
 * columns of their types store them: times in UTC with milliseconds.
 */
export const jsonCodec = (dto: Dto): Codec => ({
  select: (column) => column,
  from: (value: unknown) => value,
  to: (value: unknown) => encodeObject(dto, value),
});

function encodeObject(dto: Dto, value: unknown): unknown {
  if (isMergePatch(value))
    throw new Error(
      `changes of ${dto.name} must be written by ResourceRepository.update(), which merges them`,
    );
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    [...fieldsOf(dto)].flatMap(([name, { type }]) => {
      const member = members[name];
      return member === undefined ? [] : [[name, encodeMember(type, member)]];
    }),
  );
}

function encodeMember({ nested, column }: FieldType, value: unknown): unknown {
  if (nested)
    return Array.isArray(value)
      ? value.map((item) => encodeObject(nested, item))
      : encodeObject(nested, value);
  const transformer = column?.transformer as ValueTransformer | undefined;
  return transformer ? (transformer.to(value) as unknown) : value;
}
