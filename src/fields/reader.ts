import { Dto } from './field.js';
import { Verdict } from './verdict.js';

export type Json = Readonly<Record<string, unknown>>;

/** The place of a value, and how it is read. */
export interface Reader {
  readonly dto: Dto;
  /** Its fields that `dto` does not declare are ignored. */
  readonly representation: Dto | undefined;
  readonly dropsUnknown: boolean;
  /** Of the value in the body: empty, or with a point behind it. */
  readonly path: string;
  readonly verdict: Verdict;
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function nameOf(body: unknown): string {
  if (body === undefined) return 'empty';
  if (body === null) return 'null';
  return Array.isArray(body) ? 'an array' : `a ${typeof body}`;
}

/** Keeps a value from class-transformer, which would walk and copy it. */
export function setAside(kept: object, name: string, value: unknown, { whole }: Verdict): void {
  const others = whole.get(kept) ?? new Map<string, unknown>();
  whole.set(kept, others.set(name, value));
}
