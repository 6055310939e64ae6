import { toColumnName, FieldSpec, ResourceSpec } from './resource-spec.js';
import { GeneratedRows } from './rows.js';

/** A unique field, with the properties together with which it must be unique. */
interface UniqueField extends FieldSpec {
  /** The properties that `rows` compares, so that a 409 tells callers nothing about rows that do not concern them. */
  readonly within: readonly string[];
}

const uniqueFields = ({ fields }: ResourceSpec, rows: GeneratedRows | undefined): UniqueField[] =>
  fields
    .filter(({ isUnique }) => isUnique)
    .map((field) => ({ ...field, within: (rows?.compared ?? []).filter((name) => name !== field.name) }));

/** Returns the name that PostgreSQL gives a unique constraint by default. */
const constraintName = ({ names }: ResourceSpec, { column, within }: UniqueField): string =>
  [names.table, ...within.map(toColumnName), column, 'key'].join('_');

/** Returns the decorators of unique fields. Texts are compared in any case. */
export const uniqueDecorators = (spec: ResourceSpec, rows: GeneratedRows | undefined): string[] =>
  uniqueFields(spec, rows).map((field) => {
    const { name, column, type, within } = field;
    const keys = [...within.map(toColumnName), `lower(${column})`].join(', ');
    return type.max
      ? `@ExpressionIndex('${constraintName(spec, field)}', '${keys}', { unique: true })`
      : `@Unique([${[...within, name].map((one) => `'${one}'`).join(', ')}])`;
  });

/** An error of a module, and the advice to clients for the docs. */
export interface GeneratedError {
  readonly status: number;
  readonly code: string;
  readonly summary: string;
  readonly cure: string;
  /** The field whose value must be unique, and the name of its constraint. */
  readonly unique?: { readonly field: FieldSpec; readonly constraint: string };
}

/** Returns the errors of a module: one for a row that does not exist, and one for each unique field. */
export function buildErrors(spec: ResourceSpec, rows: GeneratedRows | undefined): GeneratedError[] {
  const { names } = spec;
  const unique = uniqueFields(spec, rows);
  const word = names.singular.replaceAll('-', ' ');
  const missing = {
    status: 404,
    code: `${names.code}_NOT_FOUND`,
    summary: `There is no such ${word}.`,
    cure: 'Forget the id; it may have been deleted.',
  };
  const taken = unique.map((field) => {
    const words = wordsFor(field.name);
    const reason = unique.length === 1 ? 'ALREADY_EXISTS' : `${field.column.toUpperCase()}_TAKEN`;
    const same = field.within.map((name) => wordsFor(name).replace(/ id$/, '')).join(' and ');
    return {
      status: 409,
      code: `${names.code}_${reason}`,
      summary: `Another ${word}${same && ` with the same ${same}`} has this ${words}.`,
      cure: `Choose another ${words}, or change the existing ${word}.`,
      unique: { field, constraint: constraintName(spec, field) },
    };
  });
  return [missing, ...taken];
}

/** `inStock` → `in stock`. */
const wordsFor = (property: string): string => toColumnName(property).replaceAll('_', ' ');
