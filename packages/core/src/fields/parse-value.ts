import { DtoProperty, ValueType } from './dto-schema.js';

/** Matches a day or a point in time (ISO 8601). */
const ISO_DATE_PATTERN =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Parses an ISO 8601 date or time. A time without an offset counts as UTC. @returns an invalid date for other text */
export function parseIsoDate(text: string): Date {
  const found = ISO_DATE_PATTERN.exec(text);
  // JavaScript reads a day as UTC, but a time without an offset in the machine's time zone.
  return new Date(found ? text + (found[1] || text.length === 10 ? '' : 'Z') : NaN);
}

/**
 * Converts a path or query parameter to the type of its property. If the type is an array, a single value becomes an
 * array of one item.
 */
export function convertParameter(given: unknown, { type, itemType }: DtoProperty): unknown {
  if (type !== 'array') return parseValue(given, type);
  return [given].flat().map((item) => parseValue(item, itemType));
}

const NUMBER_PATTERN = /^-?\d+(?:\.\d+)?$/;

/** Converts text to a number or a boolean. @returns the text itself if it is not a value of that type */
export function parseValue(text: unknown, type: ValueType | undefined): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'number' && NUMBER_PATTERN.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
