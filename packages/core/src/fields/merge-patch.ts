import { ErrorDetail } from '../http/errors/api-error.js';
import { bodyError } from './faults.js';
import { Dto, FieldClass, fieldsOf } from './field.js';

// Changes of JSON by the members that a PATCH sends (RFC 7396). `PatchOf()` makes their classes.

type Members = Readonly<Record<string, unknown>>;

const patchClasses = new WeakSet<object>();

export function markMergePatch(dto: Dto): void {
  patchClasses.add(dto);
}

/** Whether a value consists of the members that a PATCH changes. */
export const isMergePatch = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && patchClasses.has(value.constructor);

export const hasMergePatch = (changes: object): boolean => Object.values(changes).some(isMergePatch);

/**
 * Returns changes in which each JSON is whole: the members of the row, replaced by those that the changes contain.
 * @param row the row before the changes, which must not change meanwhile
 * @throws ApiError `VALIDATION_FAILED` if a required member is missing, because the row had no JSON
 */
export function mergeJson<Row extends object>(
  entity: FieldClass<Row>,
  row: Row,
  changes: Partial<Row>,
): Partial<Row> {
  const faults: ErrorDetail[] = [];
  const fields = fieldsOf(entity);
  const merged = Object.entries(changes).map(([name, value]: [string, unknown]) => {
    const dto = fields.get(name)?.type.nested;
    if (!dto || !isMergePatch(value)) return [name, value];
    if (!(name in row)) throw new Error(`${entity.name}.${name} cannot be merged, because it is never read`);
    return [name, mergeMembers(dto, (row as Members)[name], value, `${name}.`, faults)];
  });
  if (faults.length > 0) throw bodyError(faults);
  return Object.fromEntries(merged) as Partial<Row>;
}

function mergeMembers(
  dto: Dto,
  current: unknown,
  patch: Members,
  path: string,
  faults: ErrorDetail[],
): Members {
  const before = (current ?? {}) as Members;
  const members = [...fieldsOf(dto)].map(([name, { type, options }]) => {
    const sent = patch[name];
    if (type.nested && isMergePatch(sent))
      return [name, mergeMembers(type.nested, before[name], sent, `${path}${name}.`, faults)];
    const value = [sent, before[name], options.default].find((one) => one !== undefined);
    if (value === undefined && !options.optional && !options.nullable)
      faults.push({ field: path + name, code: 'REQUIRED', message: 'is required' });
    return [name, value === undefined && options.nullable ? null : value];
  });
  return Object.fromEntries(members) as Members;
}
