import { Random } from './random.js';

export const DAY_MS = 24 * 3600 * 1000;
export const YEAR_MS = 365 * DAY_MS;

/** A time in the given part, counted from 0, of equal parts of the span that ends now: later parts are later. */
export function spread(part: number, parts: number, spanMs: number, now: Date, random: Random): Date {
  const begin = now.getTime() - spanMs;
  return new Date(begin + Math.floor(((part + random.next()) * spanMs) / parts));
}

/** From the earlier time, included, to the later, not included; where they are the same, that. */
export function between(earliest: Date, latest: Date, random: Random): Date {
  const span = latest.getTime() - earliest.getTime();
  return new Date(earliest.getTime() + Math.floor(random.next() * span));
}
