import type { ResourceSpec } from './resource-spec.js';
import type { Parent } from './surroundings.js';

/** The values of the templates. */
export type TemplateValues = Readonly<Record<string, string | boolean | undefined>>;

/** The `rows` of a generated resource, in a project that declares attributes of users. */
export interface GeneratedRows {
  /** The property of the definition as TypeScript, with comments. */
  readonly declaration: string;
  /** The required fields that are attributes. If a body omits them, the new row gets the values of the caller's rows. */
  readonly completed: readonly string[];
  /** The attributes of users that the project declares. */
  readonly attributes: readonly string[];
  /** Whether a user without attributes sees none of the rows that an administrator creates. */
  readonly areHidden: boolean;
}

/**
 * Returns the `rows` of a resource, or `undefined` if the project declares no attributes. The fields that attributes name
 * come first, then the parent, the readers and the owner. If the command line contains none of these, only staff sees rows.
 */
export function buildRows(
  spec: ResourceSpec,
  parent: Parent | undefined,
  attributes: readonly string[],
): GeneratedRows | undefined {
  const [example] = attributes;
  if (example === undefined) return undefined;
  const named = spec.fields.filter(({ name }) => attributes.includes(name));
  const completed = named.filter(({ isNullable }) => !isNullable).map(({ name }) => name);
  const declare = (rows: string, areHidden: boolean): GeneratedRows => {
    return { declaration: `  rows: ${rows},`, completed, attributes, areHidden };
  };
  const values = named.map(({ name }) => `${name}: caller.attributes.${name}`).join(', ');
  if (named.length > 0) return declare(exceptStaff(values), true);
  if (parent) return declare(`rowsOf(${parent.constant}, '${parent.property}')`, !parent.concernsEverybody);
  if (spec.isPublic) return declare('() => ALL_ROWS', false);
  if (spec.isOwned) return declare(exceptStaff('userId: caller.userId'), false);
  const { declaration, ...others } = declare(exceptStaff('id: null'), false);
  const advice =
    `  // Staff sees all rows, and other callers see none. To show callers the rows with their \`${example}\`, add this\n` +
    `  // column, and return \`{ ${example}: caller.attributes.${example} }\` instead of \`{ id: null }\`.\n`;
  return { declaration: advice + declaration, ...others };
}

const exceptStaff = (values: string): string => `({ caller }) => (caller.isStaff ? ALL_ROWS : { ${values} })`;

/** Returns the values of templates that depend on which callers see rows. */
export function rowsValues(
  { names, fields, isOwned, isPublic }: ResourceSpec,
  rows: GeneratedRows | undefined,
): TemplateValues {
  const { areHidden = false, completed = [], attributes = [], declaration } = rows ?? {};
  const named = fields.filter(({ name }) => attributes.includes(name));
  const hasRows = isPublic && named.every(({ type }) => type.refersTo);
  const isShown = isPublic && !areHidden;
  const optional = completed.map((name) => `${name}: { optional: true }`).join(', ');
  return {
    rowsDeclaration: declaration,
    // The columns of a user whom the rows of the tests concern, if these rows refer to rows that the tests create.
    member: hasRows && named.map(({ name, column }) => `${column}: references.${name}[1]`).join(', '),
    optional: optional && `, { ${optional} }`,
    ownedByAll: isOwned && !areHidden,
    ownedByFew: isOwned && areHidden,
    readByAll: isShown ? '200' : isPublic || isOwned ? '404' : '403',
    refusedToOthers: isPublic ? '403 PERMISSION_DENIED' : `404 ${names.code}_NOT_FOUND`,
    readersTitle: isShown ? 'every role' : isPublic ? 'those whom they concern' : 'staff roles',
  };
}
