import { withArticle } from '@plinth/core/dev';

import { camel, toColumnName, FieldSpec, ResourceSpec } from './resource-spec.js';
import { SampleValue } from './field-types.js';
import { References, referenceValues } from './references.js';
import { GeneratedRows, rowsValues, TemplateValues } from './rows.js';
import { Parent } from './surroundings.js';
import { buildErrors, GeneratedError, uniqueDecorators } from './unique.js';

/** @param rows the `rows` of the resource, if the project declares attributes of users */
export const buildValues = (
  spec: ResourceSpec,
  parent: Parent | undefined,
  rows: GeneratedRows | undefined,
  references: References,
): TemplateValues => ({
  ...nameValues(spec, parent),
  ...moduleValues(spec, parent, rows, references),
  ...controllerValues(spec, parent, rows),
  ...rowsValues(spec, rows, parent),
  ...testValues(spec, parent, rows),
  ...referenceValues(spec, parent, rows, references),
});

/** Writes a value as a TypeScript literal. */
function literal(value: SampleValue): string {
  if (typeof value === 'string') return /^x{2,}$/.test(value) ? `'x'.repeat(${value.length})` : `'${value}'`;
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value).map(([name, item]: [string, SampleValue]) =>
    Array.isArray(value) ? literal(item) : `${name}: ${literal(item)}`,
  );
  return Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
}

const quoteList = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function nameValues({ names, isOwned }: ResourceSpec, parent: Parent | undefined): TemplateValues {
  const { plural, singular, entity, collection, code, constant, table, isIrregular } = names;
  return {
    ...{ plural, singular, entity, collection, code, constant, table },
    irregular: isIrregular,
    variable: camel(entity),
    service: camel(collection),
    owned: isOwned,
    shared: !isOwned,
    nested: parent !== undefined,
    parentEntity: parent?.entity,
    parentEntityFile: parent?.entityFile,
    parentConstant: parent?.constant,
    parentFile: parent?.file,
    parentNotFound: parent?.notFound,
    parentId: parent?.property,
    parentWord: parent && parentWords(parent),
  };
}

/** `order note`. */
const parentWords = ({ property }: Parent): string =>
  toColumnName(property).replace(/_id$/, '').replaceAll('_', ' ');

/** Text fields up to this length get a filter that compares the whole value. */
const MAX_FILTER_LENGTH = 100;

function moduleValues(
  spec: ResourceSpec,
  parent: Parent | undefined,
  rows: GeneratedRows | undefined,
  references: References,
): TemplateValues {
  const { names, fields, isOwned } = spec;
  const errors = buildErrors(spec, rows);
  const own = fields.map(({ name }) => name);
  const sorts = sortableNames(spec, parent);
  const words = names.plural.replaceAll('-', ' ');
  return {
    decorators: [...uniqueDecorators(spec, rows), ...indexDecorators(spec, parent, sorts)].join('\n'),
    members: fields.flatMap(memberClass).join('\n\n'),
    properties: fields.map((field) => property(field, references[field.name])).join('\n\n'),
    errors: errors.map(({ status, code, summary }) => `  ${code}: [${status}, '${summary}'],`).join('\n'),
    errorNames: errors
      .map(({ code }) => code)
      .sort()
      .join(', '),
    shown: quoteList([
      'id',
      ...(parent ? [parent.property] : []),
      ...(isOwned ? ['userId'] : []),
      ...own,
      'createdAt',
      'updatedAt',
    ]),
    own: quoteList(own),
    filters: [...(isOwned ? [`userId: equals('userId')`] : []), ...fields.flatMap(filtersFor)].join(', '),
    sorts: quoteList(sorts),
    words,
    description: capital(words) + (parent ? ` of one ${parentWords(parent)}` : ''),
    constraints: constraintErrors(spec, parent, errors).join(', '),
    grants: grantSources(spec, parent).join(', '),
  };
}

/**
 * Returns the fields that a list can be sorted by. Below a parent, leaves out texts, which would need further indexes.
 */
const sortableNames = ({ fields }: ResourceSpec, parent: Parent | undefined): string[] =>
  fields
    .filter(({ type, isNullable }) => type.isSortable && !isNullable)
    .filter(({ type }) => !parent || !['Text', 'Choice'].includes(type.decorator))
    .map(({ name }) => name);

/** The indexes of the entity. */
function indexDecorators(
  { fields, isOwned }: ResourceSpec,
  parent: Parent | undefined,
  sorts: readonly string[],
): string[] {
  const sorted = parent
    ? ['createdAt', ...sorts].map((name) => `@Index([${quoteList([parent.property, name, 'id'])}])`)
    : [];
  const referring = fields.filter(({ type }) => type.refersTo).map(({ name }) => `@Index(['${name}'])`);
  return [...sorted, ...referring, ...(isOwned ? [`@Index(['userId'])`] : [])];
}

function filtersFor({ name, type: { decorator, refersTo, max = Infinity }, isUnique }: FieldSpec): string[] {
  if (decorator === 'Money')
    return [`min${capital(name)}: atLeast('${name}')`, `max${capital(name)}: atMost('${name}')`];
  if (decorator.endsWith('Array')) return [`${name}: contains('${name}')`];
  const isFilter = isUnique || refersTo || max <= MAX_FILTER_LENGTH || ['Flag', 'Choice'].includes(decorator);
  return isFilter ? [`${name}: equals('${name}')`] : [];
}

/** Returns the error for each constraint that a write can violate. */
function constraintErrors(
  { names, isOwned }: ResourceSpec,
  parent: Parent | undefined,
  errors: readonly GeneratedError[],
): string[] {
  const taken = errors.flatMap(({ unique, code }) => (unique ? [`${unique.constraint}: ${code}`] : []));
  const ofParent = parent
    ? [`${names.table}_${toColumnName(parent.property)}_fkey: ${parent.constant}.notFound`]
    : [];
  return [...taken, ...ofParent, ...(isOwned ? [`${names.table}_user_id_fkey: INVALID_TOKEN`] : [])];
}

const grantSources = ({ isOwned }: ResourceSpec, parent: Parent | undefined): string[] => [
  ...(parent?.grants === undefined ? [] : [`grantsOnParent('${parent.grants}', '${parent.property}')`]),
  ...(isOwned ? [`grantsOnParent('user', 'userId')`] : []),
];

/** Returns the class of the members of JSON. */
function memberClass({ name, type: { members, type } }: FieldSpec): string[] {
  if (!members) return [];
  // `BodyOf()` gives this default to nullable fields, but a body has the class itself.
  const properties = members.map((member) => property(member, undefined, 'nullable: true, default: null'));
  return [`/** The members of \`${name}\`. */\nexport class ${type} {\n${properties.join('\n\n')}\n}`];
}

/**
 * @param referred the resource to which the field refers
 * @param nullable the options of a field that may be null
 */
function property(
  { name, type, isNullable }: FieldSpec,
  referred?: Parent,
  nullable = 'nullable: true',
): string {
  const options = [...type.options, ...(isNullable ? [nullable] : []), `example: ${literal(type.sample(1))}`];
  const onDelete = isNullable ? 'SET NULL' : 'CASCADE';
  const key = referred ? `  @ForeignKey(() => ${referred.entity}, { onDelete: '${onDelete}' })\n` : '';
  const text = `${name}: ${type.type}${isNullable ? ' | null' : ''};`;
  return `  @${type.decorator}({ ${options.join(', ')} })\n${key}  ${text}`;
}

function controllerValues(
  spec: ResourceSpec,
  parent: Parent | undefined,
  rows: GeneratedRows | undefined,
): TemplateValues {
  const { names, versions, isOwned, isPublic } = spec;
  const values = [
    '...body',
    ...(parent ? [parent.property] : []),
    ...(isOwned ? [rows ? 'userId: caller.userId' : 'userId'] : []),
  ];
  const id = parent?.property ?? '';
  const keyName = `${names.entity}Key`;
  return {
    version: versions.length === 1 ? quoteList(versions) : `[${quoteList(versions)}]`,
    under: parent ? `path: '${parent.path}/:${id}/${names.plural}', ` : '',
    within: parent ? `, { ${id}: '${id}' }` : '',
    ofParent: parent ? `@Param('${id}', ParseIdPipe) ${id}: number, ` : '',
    listCall: parent ? `listByParent(${id}, query)` : 'list(query)',
    ofRow: parent ? `@Param() key: ${keyName}` : `@Param('id', ParseIdPipe) id: number`,
    key: parent ? 'key' : 'id',
    keyName: parent ? `, ${keyName}` : '',
    owners: isOwned ? ', OWNERS' : '',
    staff: isPublic ? '' : 'staff: true, ',
    readers: isPublic ? '' : isOwned ? ', OWNERS' : ', { staff: true }',
    ofUser: rows ? '@CurrentUser() caller: Caller, ' : isOwned ? '@CurrentUser() { userId }: Caller, ' : '',
    creator: rows ? ', caller' : '',
    created: values.length > 1 ? `{ ${values.join(', ')} }` : 'body',
  };
}

/** The minimum length of a unique text field that can hold a different value in every run of the tests. */
const ROOM = 12;

/** Returns TypeScript that computes a value of a field from the number `n`. */
function sampleExpression({ name, type, isUnique }: FieldSpec): string {
  if (type.type === 'boolean') return 'n % 2 === 1';
  if (type.refersTo) return `references.${name}[n % 2]`;
  if (isUnique && (type.max ?? 0) >= ROOM) return `\`\${RUN} \${n}\``;
  return `[${[1, 2, 3, 4].map((n) => literal(type.sample(n))).join(', ')}][n % 4]`;
}

function testValues(
  spec: ResourceSpec,
  parent: Parent | undefined,
  rows: GeneratedRows | undefined,
): TemplateValues {
  const { names, fields } = spec;
  const base = `/api/v${spec.versions.at(-1) ?? '1'}`;
  const parentPath = parent && `${base}/${parent.path}`;
  const nullable = fields.filter(({ isNullable }) => isNullable).map(({ name }) => name);
  const left = (value: string): string =>
    nullable.length === 0
      ? 'body(2)'
      : `{ ...body(2), ${nullable.map((name) => `${name}: ${value}`).join(', ')} }`;
  const required = fields
    .filter(({ name, isNullable }) => !isNullable && !rows?.completed.includes(name))
    .map(({ name }) => `${name} REQUIRED`);
  const refused = fields.flatMap(({ name, type: { refused: one } }) =>
    one ? [`    ['${name}${one[2] ?? ''} ${one[1]}', { ${name}: ${literal(one[0])} }],`] : [],
  );
  const taken = buildErrors(spec, rows).flatMap(({ unique, code }) =>
    unique ? [`['${unique.field.name}', '${code}']`] : [],
  );
  const hasFaults = required.length + refused.length + taken.length > 0;
  return {
    unique: fields.some((field) => sampleExpression(field).includes('RUN')),
    values: fields.map((field) => `  ${field.name}: ${sampleExpression(field)},`).join('\n'),
    first: fields[0]?.name,
    withoutOptional: left('undefined'),
    withNulls: left('null'),
    rows: parentPath
      ? `\`${parentPath}/\${await createParent()}/${names.plural}\``
      : `'${base}/${names.plural}'`,
    parentPath,
    aParent: parent && capital(withArticle(parentWords(parent))),
    kit: `${parent || fields.some(({ type }) => type.refersTo) ? 'exampleBody, ' : ''}${hasFaults ? 'faultsOf, ' : ''}`,
    required: required.length > 0 && quoteList([...required, 'unknown UNKNOWN_FIELD'].sort()),
    refused: refused.join('\n'),
    taken: taken.join(', '),
  };
}
