import { DEFAULT_MAX_ITEMS, DtoProperty, ValueType } from './dto-schema.js';

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

/** Whether a value contains an object with more members than class-transformer can process quickly. */
export function hasTooManyMembers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value);
  return (!Array.isArray(value) && members.length > DEFAULT_MAX_ITEMS) || members.some(hasTooManyMembers);
}

export const isFlat = (value: unknown): boolean =>
  Array.isArray(value) ? value.every((item) => typeof item !== 'object') : typeof value !== 'object';
