import type { Plan } from './module-templates.js';
import { fromCore } from './names.js';

/** A route's parameters of the path, and the key of the row that they name. */
interface Path {
  readonly parent: string | undefined;
  readonly parameters: readonly string[];
  readonly key: string;
}

function pathOf({ surroundings: { parent } }: Plan): Path {
  const id = `@Param('id', ParseIdPipe) id: number`;
  if (!parent) return { parent: undefined, parameters: [id], key: 'id' };
  const { property, hasUuid } = parent;
  const [pipe, type] = hasUuid ? ['ParseUuidPipe', 'string'] : ['ParseIdPipe', 'number'];
  const own = `@Param('${property}', ${pipe}) ${property}: ${type}`;
  return { parent: own, parameters: [own, id], key: `{ id, ${property} }` };
}

/** The controller of a generated module: every route with its permission, body and type. */
export function controller(plan: Plan): string {
  const { spec, surroundings } = plan;
  const { names, versions } = spec;
  const { parent } = surroundings;
  const quoted = versions.map((version) => `'${version}'`).join(', ');
  const version = versions.length === 1 ? quoted : `[${quoted}]`;
  const under = parent ? `path: '${parent.path}/:${parent.property}/${names.plural}', ` : '';
  const listName = `${names.entity.charAt(0).toLowerCase()}${names.entity.slice(1)}List`;
  const owners = spec.isOwned
    ? `/** Any user creates a row, and its owner changes and deletes it. */\nconst OWNERS = { orOwner: 'userId' } as const;\n\n`
    : '';
  const base = [
    'Caller',
    'CurrentUser',
    'ListQuery',
    'Page',
    'ParseIdPipe',
    'Preconditions',
    'RequirePermission',
    'Resource',
    'Transaction',
    ...(parent ? ['ApiErrorResponse'] : []),
    ...(parent?.hasUuid ? ['ParseUuidPipe'] : []),
  ];
  return `import { Body, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';

${fromCore(base)}${parent ? `import { ${parent.constant} } from '../${parent.resourceFile}.js';\n` : ''}import { Patch${names.entity}Dto, ${names.entity}BodyDto, ${names.entity}Dto } from './${names.singular}.dto.js';
import { ${names.entity} } from './${names.singular}.entity.js';
import { ${listName}, ${names.constant} } from './${names.singular}.resource.js';
import { ${names.collection}Service } from './${names.plural}.service.js';

${owners}@Resource({ ...${names.constant}, ${under}version: ${version}, shows: ${names.entity}Dto })
export class ${names.collection}Controller {
  constructor(private readonly ${serviceOf(plan)}: ${names.collection}Service) {}

${routes(plan, listName).join('\n\n')}
}
`;
}

/** The name of the service's property. */
const serviceOf = ({ spec: { names } }: Plan): string =>
  `${names.collection.charAt(0).toLowerCase()}${names.collection.slice(1)}`;

function routes(plan: Plan, listName: string): string[] {
  const { spec, surroundings } = plan;
  const { entity } = spec.names;
  const { parent } = surroundings;
  const { parent: ofParent, parameters, key } = pathOf(plan);
  const service = `this.${serviceOf(plan)}`;
  const owned = spec.isOwned ? ', OWNERS' : '';
  const caller = '@CurrentUser() caller: Caller';
  const preconditions = '@Preconditions() preconditions: Preconditions';
  const within = parent ? `, { ${parent.property}: '${parent.property}' }` : '';
  const query = `@ListQuery(${listName}${within}) query: ListQuery`;
  const values = ['...body', ...(parent ? [parent.property] : []), ...(spec.isOwned ? ['userId'] : [])];
  const created = values.length > 1 ? `{ ${values.join(', ')} }` : 'body';
  const write = (verb: string, method: string, body: string): string =>
    route(`@${verb}(':id')\n  @RequirePermission('update'${owned})`, {
      method,
      parameters: [...parameters, `@Body() body: ${body}`, caller, preconditions],
      result: entity,
      call: `${service}.${method}(${key}, body, caller, preconditions)`,
    });
  return [
    route(
      `@Get()\n  @RequirePermission('read')${parent ? `\n  @ApiErrorResponse(${parent.constant}.notFound)` : ''}`,
      {
        method: 'list',
        parameters: [...(ofParent ? [ofParent] : []), query],
        result: `Page<${entity}>`,
        call: parent ? `${service}.listUnder(${parent.property}, query)` : `${service}.list(query)`,
      },
    ),
    route(`@Get(':id')\n  @RequirePermission('read')`, {
      method: 'get',
      parameters: [...parameters, caller],
      result: entity,
      call: `${service}.get(${key}, caller)`,
    }),
    route(`@Post()\n  @RequirePermission('create'${owned})`, {
      method: 'create',
      parameters: [
        ...(ofParent ? [ofParent] : []),
        `@Body() body: ${entity}BodyDto`,
        ...(spec.isOwned ? ['@CurrentUser() { userId }: Caller'] : []),
        '@Transaction() tx: Transaction',
      ],
      result: entity,
      call: `${service}.create(${created}, tx)`,
    }),
    write('Put', 'replace', `${entity}BodyDto`),
    write('Patch', 'patch', `Patch${entity}Dto`),
    route(`@Delete(':id')\n  @RequirePermission('delete'${owned})`, {
      method: 'remove',
      parameters: [...parameters, caller, preconditions],
      result: 'void',
      call: `${service}.remove(${key}, caller, preconditions)`,
    }),
  ];
}

function route(
  decorators: string,
  {
    method,
    parameters,
    result,
    call,
  }: {
    readonly method: string;
    readonly parameters: readonly string[];
    readonly result: string;
    readonly call: string;
  },
): string {
  return `  ${decorators}
  ${method}(${parameters.join(', ')}): Promise<${result}> {
    return ${call};
  }`;
}

/** The module of a resource. */
export const nestModule = ({ spec: { names } }: Plan): string => `import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ${names.entity} } from './${names.singular}.entity.js';
import { ${names.collection}Controller } from './${names.plural}.controller.js';
import { ${names.collection}Service } from './${names.plural}.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([${names.entity}])],
  controllers: [${names.collection}Controller],
  providers: [${names.collection}Service],
})
export class ${names.collection}Module {}
`;
