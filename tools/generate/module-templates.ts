import { ACCESS } from '../../src/config/access.js';
import { ProjectFile } from '../project-files.js';
import { controller, nestModule } from './controller-template.js';
import { errorsOf } from './module-errors.js';
import { columnOf, fromCore } from './names.js';
import { FieldSpec, ResourceSpec } from './resource-spec.js';
import { Surroundings } from './project.js';

/** A resource to be generated, and what it refers to. */
export interface Plan {
  readonly spec: ResourceSpec;
  readonly surroundings: Surroundings;
}

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** The property that holds the id of the parent: `productId`. */
const parentProperty = ({ surroundings }: Plan): string | undefined => surroundings.parent?.property;

/** The properties that the server writes, and responses show. */
function references(plan: Plan): string[] {
  const parent = parentProperty(plan);
  return [...(parent ? [parent] : []), ...(plan.spec.isOwned ? ['userId'] : [])];
}

/** Under a parent, sorts by text would each want an index with its collation. */
const sortsOf = ({ spec }: Plan): FieldSpec[] =>
  spec.fields.filter(
    ({ type, isNullable }) =>
      type.isSortable && !isNullable && !(spec.parent && type.type === 'string' && type.decorator === 'Text'),
  );

const isText = ({ type }: FieldSpec): boolean => type.type === 'string' && type.decorator === 'Text';

function entity(plan: Plan): string {
  const { spec, surroundings } = plan;
  const { names, fields } = spec;
  const parent = parentProperty(plan);
  const imports = new Set(['Entity']);
  const decorators: string[] = [];
  const hasExpression = fields.some((field) => field.isUnique && isText(field));
  for (const field of fields.filter(({ isUnique }) => isUnique)) {
    if (isText(field)) {
      decorators.push(
        `@ExpressionIndex('${names.table}_${field.column}_key', 'lower(${field.column})', { unique: true })`,
      );
    } else decorators.push(`@Unique(['${field.name}'])`);
  }
  if (decorators.some((text) => text.startsWith('@Unique'))) imports.add('Unique');
  if (parent) {
    decorators.push(`@Index([${list([parent, 'createdAt', 'id'])}])`);
    for (const { name } of sortsOf(plan)) decorators.push(`@Index([${list([parent, name, 'id'])}])`);
  }
  if (spec.isOwned) decorators.push(`@Index(['userId'])`);
  if (decorators.some((text) => text.startsWith('@Index'))) imports.add('Index');
  const pointers = [
    ...(parent && surroundings.parent
      ? [pointer(parent, surroundings.parent.entity, surroundings.parent.hasUuid)]
      : []),
    ...(surroundings.user ? [pointer('userId', surroundings.user.entity, surroundings.user.hasUuid)] : []),
  ];
  if (pointers.length > 0) imports.add('ForeignKey');
  const used = new Set(['ResourceEntity', ...fields.map(({ type }) => type.decorator)]);
  if (hasExpression) used.add('ExpressionIndex');
  for (const reference of [surroundings.parent, surroundings.user])
    if (reference) used.add(reference.hasUuid ? 'Uuid' : 'Id');
  const others = [surroundings.parent, surroundings.user].filter((reference) => reference !== undefined);
  return `import { ${[...imports].sort().join(', ')} } from 'typeorm';

${fromCore(used)}${others.map((other) => `import { ${other.entity} } from '../${other.entityFile}.js';\n`).join('')}
@Entity('${names.table}')
${decorators.join('\n')}
export class ${names.entity} extends ResourceEntity {
${[...pointers, ...fields.map(property)].join('\n\n')}
}
`;
}

const pointer = (
  name: string,
  target: string,
  hasUuid: boolean,
): string => `  @${hasUuid ? 'Uuid' : 'Id'}({ readOnly: true })
  @ForeignKey(() => ${target}, { onDelete: 'CASCADE' })
  ${name}: ${hasUuid ? 'string' : 'number'};`;

function property({ name, type, isNullable }: FieldSpec): string {
  const options = [
    ...type.options,
    ...(isNullable ? ['nullable: true'] : []),
    `example: ${literal(type.sample(1))}`,
  ];
  return `  @${type.decorator}({ ${options.join(', ')} })
  ${name}: ${type.type}${isNullable ? ' | null' : ''};`;
}

/** A value as TypeScript. */
export const literal = (value: string | number | boolean): string =>
  typeof value === 'string' ? `'${value}'` : String(value);

const errors = (plan: Plan): string => `${fromCore(['defineError'])}
${errorsOf(plan.spec)
  .map(
    ({ status, code, summary }) =>
      `export const ${code} = defineError(${status}, '${code}', ${literal(summary)});`,
  )
  .join('\n')}
`;

function dto(plan: Plan): string {
  const { names, fields } = plan.spec;
  const own = fields.map(({ name }) => name);
  const shown = ['id', ...references(plan), ...own, 'createdAt', 'updatedAt'];
  return `${fromCore(['BodyOf', 'PatchOf', 'PickOf'])}import { ${names.entity} } from './${names.singular}.entity.js';

export class ${names.entity}Dto extends PickOf(${names.entity}, [${list(shown)}]) {}

export class ${names.entity}BodyDto extends BodyOf(${names.entity}Dto, [${list(own)}]) {}

export class Patch${names.entity}Dto extends PatchOf(${names.entity}BodyDto) {}
`;
}

/** The longest text that one asks for as a whole. */
const MAX_ASKED = 100;

function filters(plan: Plan): { text: string; imports: string[] } {
  const entries: [name: string, call: string][] = plan.spec.isOwned ? [['userId', `equals('userId')`]] : [];
  for (const { name, type, isUnique } of plan.spec.fields) {
    const length = Number(/^max: (\d+)$/.exec(type.options[0] ?? '')?.[1] ?? 0);
    const isAsked =
      ['Flag', 'Choice'].includes(type.decorator) || isUnique || (length > 0 && length <= MAX_ASKED);
    if (isAsked) entries.push([name, `equals('${name}')`]);
    if (type.decorator === 'Money') {
      const bound = name.charAt(0).toUpperCase() + name.slice(1);
      entries.push([`min${bound}`, `atLeast('${name}')`], [`max${bound}`, `atMost('${name}')`]);
    }
  }
  const imports = ['atLeast', 'atMost', 'equals'].filter((name) =>
    entries.some(([, call]) => call.startsWith(`${name}(`)),
  );
  return { text: entries.map(([name, call]) => `${name}: ${call}`).join(', '), imports };
}

function resource(plan: Plan): string {
  const { spec, surroundings } = plan;
  const { names } = spec;
  const { parent, user } = surroundings;
  const { text, imports } = filters(plan);
  const sorts = sortsOf(plan).map(({ name }) => name);
  const own = errorsOf(plan.spec);
  const constraints = [
    ...own.flatMap(({ constraint, code }) => (constraint ? [`${constraint}: ${code}`] : [])),
    ...(parent ? [`${names.table}_${columnOf(parent.property)}_fkey: ${parent.constant}.notFound`] : []),
    ...(user ? [`${names.table}_user_id_fkey: INVALID_TOKEN`] : []),
  ];
  const isGranted = (type: string): boolean => (ACCESS.grantedResources as readonly string[]).includes(type);
  const grants = [
    ...(parent && isGranted(parent.singular)
      ? [`grantsVia('${parent.singular}', '${parent.property}')`]
      : []),
    ...(spec.isOwned ? [`grantsVia('user', 'userId')`] : []),
  ];
  const lines = [
    `path: '${names.plural}',`,
    ...(names.isIrregular ? [`singular: '${names.singular}',`] : []),
    `entity: ${names.entity},`,
    `notFound: ${names.code}_NOT_FOUND,`,
    `description: '${names.words.charAt(0).toUpperCase()}${names.words.slice(1)}${parent ? ` of one ${parent.word}` : ''}.',`,
    ...(constraints.length > 0 ? [`constraints: { ${constraints.join(', ')} },`] : []),
    ...(grants.length > 0 ? [`grants: [${grants.join(', ')}],`] : []),
  ];
  const asked = [
    `name: '${names.plural}',`,
    ...(text ? [`filters: { ${text} },`] : []),
    ...(sorts.length > 0 ? [`sorts: [${list(sorts)}],`] : []),
  ];
  const base = [
    ...(user ? ['INVALID_TOKEN'] : []),
    ...(grants.length > 0 ? ['grantsVia'] : []),
    ...imports,
    'defineList',
    'ResourceDefinition',
  ];
  return `${fromCore(base)}${parent ? `import { ${parent.constant} } from '../${parent.resourceFile}.js';\n` : ''}import { ${names.entity} } from './${names.singular}.entity.js';
import { ${own
    .map(({ code }) => code)
    .sort()
    .join(', ')} } from './${names.singular}.errors.js';

export const ${names.entity.charAt(0).toLowerCase()}${names.entity.slice(1)}List = defineList(${names.entity}, {
${asked.map((line) => `  ${line}`).join('\n')}
});

export const ${names.constant}: ResourceDefinition<${names.entity}> = {
${lines.map((line) => `  ${line}`).join('\n')}
};
`;
}

function service({ spec: { names }, surroundings: { parent } }: Plan): string {
  const listing = parent
    ? `

  /** @throws ApiError the 404 of the ${parent.word} */
  listUnder(${parent.property}: ${parent.hasUuid ? 'string' : 'number'}, query: ListQuery): Promise<Page<${names.entity}>> {
    return this.repository.listUnder(${parent.constant}, { id: ${parent.property} }, query);
  }`
    : '';
  const base = [
    'Database',
    'ResourceRepository',
    'ResourceService',
    ...(parent ? ['ListQuery', 'Page'] : []),
  ];
  return `import { Injectable } from '@nestjs/common';

${fromCore(base)}${parent ? `import { ${parent.constant} } from '../${parent.resourceFile}.js';\n` : ''}import { ${names.entity} } from './${names.singular}.entity.js';
import { ${names.constant} } from './${names.singular}.resource.js';

@Injectable()
export class ${names.collection}Service extends ResourceService<${names.entity}> {
  constructor(database: Database) {
    super(new ResourceRepository(database, ${names.constant}));
  }${listing}
}
`;
}

/** The files of a module, unformatted. */
export function moduleFiles(plan: Plan): ProjectFile[] {
  const { plural, singular } = plan.spec.names;
  const file = (name: string, text: string): ProjectFile => ({ path: `src/${plural}/${name}.ts`, text });
  return [
    file(`${singular}.entity`, entity(plan)),
    file(`${singular}.errors`, errors(plan)),
    file(`${singular}.dto`, dto(plan)),
    file(`${singular}.resource`, resource(plan)),
    file(`${plural}.service`, service(plan)),
    file(`${plural}.controller`, controller(plan)),
    file(`${plural}.module`, nestModule(plan)),
  ];
}
