import { AccessScope, isInScope } from '../access/access-scope.js';
import { MatchedParents, ParentCondition, parentConditions } from '../database/row-filter.js';
import { Key, VersionedRow } from './resource.js';
import { toRowKey } from './row-key.js';

/** A row, and the conditions of a scope on its parents that it matches. */
export interface FoundRow<Row> {
  readonly row: Row;
  readonly parents?: MatchedParents;
}

/** Returns the conditions of a scope on parents, each once. */
export const parentsIn = ({ anyOf, readable, except }: AccessScope): readonly ParentCondition[] => [
  ...new Set(parentConditions(anyOf, readable, [except])),
];

/**
 * Whether a row has the values of a key, and is in a scope.
 * @throws ApiError `PERMISSION_DENIED`
 */
export function matchesKey<Row extends VersionedRow>(
  { row, parents }: FoundRow<Row>,
  key: Key<Row>,
  scope: AccessScope,
): boolean {
  const values = Object.entries(toRowKey(key));
  return (
    values.every(([property, value]) => row[property as keyof Row] === value) &&
    isInScope(scope, row, parents)
  );
}
