import { Alternatives, IdsIn } from '../database/row-scope.js';

/** No row at all. */
export const NONE: Alternatives = Object.freeze([]);

/** The rows of any of these. */
export function union(...parts: readonly Alternatives[]): Alternatives {
  const all: (readonly IdsIn[])[] = [];
  for (const part of parts) {
    if (part === null) return null;
    all.push(...part);
  }
  return all;
}

/** The rows that are in both. */
export function intersection(a: Alternatives, b: Alternatives): Alternatives {
  if (a === null) return b;
  if (b === null) return a;
  return a.flatMap((terms) => b.map((others) => [...terms, ...others]));
}
