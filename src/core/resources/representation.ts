import { createHash } from 'node:crypto';

import { Dto } from '../fields/field.js';
import { responseSchemaOf } from './openapi/response-schema.js';

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /** Tells the representation of the route's resource from every other: part of its entity tags. */
    representation?: string;
  }
}

/** The properties of a row that its validators are made of. */
export interface Versioned {
  /** Counts the changes of the row, from 1. */
  readonly version: number;
  /** ISO 8601 in UTC, of the last change. */
  readonly updatedAt: string;
}

/** A short hash of what a DTO shows: with a row's id and version it makes a strong entity tag (RFC 9110 §8.8.3). */
export function representationOf(dto: Dto): string {
  return createHash('sha256')
    .update(JSON.stringify(responseSchemaOf(dto)))
    .digest('hex')
    .slice(0, 8);
}
