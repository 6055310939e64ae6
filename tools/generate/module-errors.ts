import { ResourceSpec } from './resource-spec.js';

/** An error of a module, and for the docs what a client does about it. */
export interface GeneratedError {
  readonly status: number;
  readonly code: string;
  readonly summary: string;
  readonly cure: string;
  /** The constraint that it stands for, and its field. */
  readonly constraint?: string;
  readonly field?: string;
}

/** The errors of a module: no such row, and one for each field of which no two rows have the same value. */
export function errorsOf({ names, fields }: ResourceSpec): GeneratedError[] {
  const unique = fields.filter(({ isUnique }) => isUnique);
  return [
    {
      status: 404,
      code: `${names.code}_NOT_FOUND`,
      summary: `There is no such ${names.word}.`,
      cure: 'Forget the id; it may have been deleted.',
    },
    ...unique.map(({ name, column }) => {
      const words = column.replaceAll('_', ' ');
      return {
        status: 409,
        code:
          unique.length === 1
            ? `${names.code}_ALREADY_EXISTS`
            : `${names.code}_${column.toUpperCase()}_TAKEN`,
        summary: `Another ${names.word} has this ${words}.`,
        cure: `Choose another ${words}, or change the ${names.word} that there is.`,
        constraint: `${names.table}_${column}_key`,
        field: name,
      };
    }),
  ];
}
