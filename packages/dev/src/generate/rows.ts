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
  /** The properties whose values decide which callers see a row. */
  readonly compared: readonly string[];
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
  const declare = (rows: string, areHidden: boolean, ...compared: readonly string[]): GeneratedRows => {
    return { declaration: `  rows: ${rows},`, completed, attributes, compared, areHidden };
  };
  const values = named.map(({ name }) => `${name}: caller.attributes.${name}`).join(', ');
  if (named.length > 0) return declare(exceptStaff(values), true, ...named.map(({ name }) => name));
  if (parent) {
    const ofParent = `rowsOf(${parent.constant}, '${parent.property}')`;
    return parent.concernsEverybody ? declare(ofParent, false) : declare(ofParent, true, parent.property);
  }
  if (spec.isPublic) return declare('() => ALL_ROWS', false);
  if (spec.isOwned) return declare(exceptStaff('userId: caller.userId'), false, 'userId');
  const { declaration, ...others } = declare(exceptStaff('id: null'), false);
  const advice =
    `  // Staff sees all rows, and other callers see none. To show callers the rows with their \`${example}\`, add this\n` +
    `  // column, and return \`{ ${example}: caller.attributes.${example} }\` instead of \`{ id: null }\`.\n`;
  return { declaration: advice + declaration, ...others };
}

/**
 * Whether `rows` limits each caller to the rows of its attributes, by a field or by the parent. Then every role with the
 * permission `read` may call the routes by default.
 */
export const limitsEveryone = (
  { fields }: ResourceSpec,
  parent: Parent | undefined,
  attributes: readonly string[],
): boolean =>
  fields.some(({ name }) => attributes.includes(name)) ||
  (attributes.length > 0 && parent?.isOpen === true && !parent.concernsEverybody);

const exceptStaff = (values: string): string => `({ caller }) => (caller.isStaff ? ALL_ROWS : { ${values} })`;

/** Returns the values of templates that depend on which callers see rows. */
export function rowsValues(
  { names, fields, isOwned, isPublic }: ResourceSpec,
  rows: GeneratedRows | undefined,
  parent: Parent | undefined,
): TemplateValues {
  const { areHidden = false, completed = [], attributes = [], declaration } = rows ?? {};
  const named = fields.filter(({ name }) => attributes.includes(name));
  const isBelowHidden = parent?.concernsEverybody === false;
  const hasRows = isPublic && !isBelowHidden && named.every(({ type }) => type.refersTo);
  const isShown = isPublic && !areHidden;
  const shared = fields.filter(({ isUnique }) => isUnique).filter((field) => !named.includes(field));
  const compared = named.map(({ name }) => name);
  const taken = `[...new Set([field, ${compared.map((name) => `'${name}'`).join(', ')}])].sort()`;
  const optional = completed.map((name) => `${name}: { optional: true }`).join(', ');
  return {
    rowsDeclaration: declaration,
    // The columns of a user whom the rows of the tests concern, if these rows refer to rows that the tests create. The user
    // cannot see a parent that belongs to others.
    member: hasRows && named.map(({ name, column }) => `${column}: references.${name}[1]`).join(', '),
    // Unique fields of rows that have the same attributes, and those that rows with other attributes may share.
    compared: compared.map((name) => `${name}: taken.${name}, `).join(''),
    takenFaults:
      compared.length > 0 ? `${taken}.map((name) => \`\${name} NOT_UNIQUE\`)` : `[\`\${field} NOT_UNIQUE\`]`,
    sharedNames: compared.length > 0 && shared.map(({ name }) => `'${name}'`).join(', '),
    optional: optional && `, { ${optional} }`,
    ownedByAll: isOwned && !areHidden,
    ownedByFew: isOwned && areHidden,
    readByAll: isShown ? '200' : isPublic || isOwned ? '404' : '403',
    refusedToOthers: isPublic ? '403 PERMISSION_DENIED' : `404 ${names.code}_NOT_FOUND`,
    readersTitle: isShown ? 'every role' : isPublic ? 'those whom they concern' : 'staff roles',
  };
}
