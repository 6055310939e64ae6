import { readFileSync } from 'node:fs';

import { INestApplication } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { FastifyInstance } from 'fastify';
import { DataSource } from 'typeorm';

import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { PRODUCT } from '../config/product.js';
import { Dto } from '../fields/field.js';
import { isObject, JsonObject } from '../fields/dto-schema.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { vendorMediaType } from '../http/negotiation/media-types.js';
import { nounFinder } from '../resources/resource.js';
import { uniqueFaults, uniqueFields } from '../resources/unique-values.js';
import { addExamples, ORIGIN } from './examples.js';
import { byStatusAndCode, ErrorResponses, BASE_ERRORS } from './error-responses.js';
import { DetailsByCode } from './error-schemas.js';
import {
  responseRef,
  requestBodyRef,
  DOCUMENT_METHODS,
  schemaNameIn,
  DocumentedOperation,
  OperationObject,
  schemaProperties,
  Schemas,
  withoutUnusedComponents,
} from './openapi.js';
import { documentOperation, operationName } from './operation.js';
import { describeHeaders } from './response-headers.js';

/**
 * The words of the documents that do not follow from the code: `PlinthModule.forRoot({ docs })`.
 * @example
 * const DOCS: ApiDocs = {
 *   folder: new URL('../docs/api/', import.meta.url),
 *   license: { name: 'MIT', identifier: 'MIT' },
 *   tags: [{ name: 'Products' }],
 * };
 */
export abstract class ApiDocs {
  /** Has `description.md`, of the document, and `guides/`: the pages of `/reference`, in the order of their names. */
  abstract readonly folder: URL;
  abstract readonly license: { readonly name: string; readonly identifier: string };
  /** The groups of operations in the order in which pages show them. Resources have a description of their own. */
  abstract readonly tags: readonly { readonly name: string; readonly description?: string }[];
}

/** The values of `{{name}}` in the texts of an application. */
const PLACEHOLDERS: Readonly<Record<string, (nest: INestApplication) => string>> = {
  clientPackage: () => PRODUCT.clientPackage,
  vendorMediaType: () => vendorMediaType(2),
  // A section for each code: anchors are stable.
  errors: (nest) =>
    errorCatalogue(nest)
      .map(({ code, status, summary }) => `## ${code}\n\n**${status}** ${summary}`)
      .join('\n\n'),
};

/** A text of an application. @param path from its folder */
export const renderText = (nest: INestApplication, path: string): string =>
  readFileSync(new URL(path, nest.get(ApiDocs, { strict: false }).folder), 'utf8')
    .trim()
    .replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => PLACEHOLDERS[name]?.(nest) ?? placeholder);

/**
 * The errors of an application, by status and code: of the base, its schemes, its routes and their resources.
 * @throws Error where a code means two things
 */
export function errorCatalogue(nest: INestApplication): ErrorType[] {
  const { policies } = nest.getHttpAdapter().getInstance() as FastifyInstance;
  const ofRoutes = [...policies.values()].flatMap(({ errors = [], resource }) =>
    [errors, resource?.notFound ?? [], Object.values(resource?.constraints ?? {})].flat(),
  );
  const ofSchemes = nest.get(AuthSchemes, { strict: false }).all.flatMap(({ errors }) => errors);
  const catalogue = new Map<string, ErrorType>();
  for (const error of [...BASE_ERRORS, ...ofSchemes, ...ofRoutes]) {
    const known = catalogue.get(error.code) ?? error;
    const [one, other] = [known, error].map(({ status, summary }) => `${status} "${summary}"`);
    if (one !== other) throw new Error(`error code ${error.code} means two things: ${one} and ${other}`);
    catalogue.set(error.code, known);
  }
  return [...catalogue.values()].sort(byStatusAndCode);
}

/** Builds the OpenAPI document of a service whose routes are registered: all versions in one. */
export function buildDocument(nest: INestApplication): OpenAPIObject {
  const schemes = nest.get(AuthSchemes, { strict: false });
  const docs = nest.get(ApiDocs, { strict: false });
  const frame = new DocumentBuilder().setOpenAPIVersion('3.1.0').addServer(ORIGIN, 'This server.');
  for (const { documentName, openapi } of schemes.all) frame.addSecurity(documentName, openapi);
  const options = { operationIdFactory: operationName };
  const found = nameSchemas(SwaggerModule.createDocument(nest, frame.build(), options));
  const { policies, versions } = nest.getHttpAdapter().getInstance() as FastifyInstance;
  const operations = collectOperations(found, policies);
  assertUniqueNames(operations);
  const errors = new ErrorResponses(
    schemes,
    collectUniqueFaults(policies, nest.get(DataSource, { strict: false })),
  );
  const schemas = found.components?.schemas ?? {};
  for (const operation of operations)
    documentOperation(
      operation,
      schemes,
      errors.responsesFor(operation, resourceErrors(operation, schemas, nest)),
    );
  nameOperations(operations, versions[0]);
  markServerOwned(operations, schemas);
  for (const operation of operations) addExamples(operation, schemas);
  return withoutUnusedComponents({
    ...found,
    info: {
      title: PRODUCT.name,
      description: renderText(nest, 'description.md'),
      version: PRODUCT.version,
      contact: { name: PRODUCT.name },
      license: docs.license,
    },
    ...sortByTag(found, operations, docs),
    components: {
      ...found.components,
      ...errors.components(schemas),
      headers: describeHeaders(schemes),
    },
  });
}

/** One version's part of the document: its own paths, and those that have none. */
export function documentOfVersion(document: OpenAPIObject, version: number): OpenAPIObject {
  const prefix = `/api/v${version}`;
  const isShown = (path: string): boolean =>
    path.startsWith('/api/') ? path.startsWith(`${prefix}/`) : !(prefix + path in document.paths);
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isShown(path)));
  const info = { ...document.info, title: `${PRODUCT.name} v${version}` };
  const shown = Object.values(paths).flatMap((item) =>
    DOCUMENT_METHODS.flatMap((method) => item[method] ?? []),
  );
  const used = new Set(shown.map(firstTag));
  const tags = document.tags?.filter(({ name }) => used.has(name));
  return withoutUnusedComponents({ ...document, info, tags, paths });
}

const firstTag = ({ tags }: OperationObject): string => tags?.[0] ?? '';

/** Names the schemas of DTOs by what they describe: `ProductDto` → `Product`. */
const nameSchemas = (document: OpenAPIObject): OpenAPIObject =>
  JSON.parse(
    JSON.stringify(document).replaceAll(/(?<="(?:#\/components\/schemas\/)?\w+)Dto(?=")/g, ''),
    (_name, part: unknown) => (isObject(part) ? withExclusiveBounds(part) : part),
  ) as OpenAPIObject;

/** `@ApiProperty({ minimum: 0, exclusiveMinimum: true })` is of OpenAPI 3.0: in 3.1 the bound itself is exclusive. */
function withExclusiveBounds(schema: JsonObject): JsonObject {
  const { exclusiveMinimum: above, exclusiveMaximum: below, minimum, maximum, ...others } = schema;
  if (typeof above !== 'boolean' && typeof below !== 'boolean') return schema;
  return {
    ...others,
    ...(minimum !== undefined && { [above === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum !== undefined && { [below === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
}

function collectOperations(
  document: OpenAPIObject,
  policies: FastifyInstance['policies'],
): DocumentedOperation[] {
  const nounFor = nounFinder(policies.values());
  const byForm = new Map([...policies].map(([route, policy]) => [normalizeRoute(route), policy]));
  return Object.entries(document.paths).flatMap(([path, item]) =>
    DOCUMENT_METHODS.flatMap((name) => {
      const operation = item[name];
      if (!operation) return [];
      const method = name.toUpperCase();
      const policy = byForm.get(`${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`);
      if (!policy) throw new Error(`the document has ${method} ${path}, the server has not`);
      return { operation, method, path, policy, nounFor };
    }),
  );
}

/** A path of Fastify with one sign for each parameter and wildcard, for which Swagger has names of its own. */
const normalizeRoute = (route: string): string =>
  route
    .replaceAll('::', '\0')
    .replaceAll(/:\w+|\*/g, '{}')
    .replaceAll('\0', ':');

/** @throws Error where two DTOs that rows are shown by give schemas of one name: `PartDto` with its tag, and `PartV2Dto` */
export function assertUniqueNames(operations: readonly Pick<DocumentedOperation, 'policy'>[]): void {
  const shown = new Map<string, Dto>();
  for (const { type } of operations.flatMap(({ policy }) => policy.rowResponse ?? [])) {
    const name = schemaNameIn(getSchemaPath(type)).replace(/Dto$/, '');
    const other = shown.get(name) ?? type;
    if (other !== type)
      throw new Error(`${other.name} and ${type.name} both give ${name}: rename one of them`);
    shown.set(name, type);
  }
}

/** The details of the errors for unique values that are taken, by code. */
function collectUniqueFaults(policies: FastifyInstance['policies'], dataSource: DataSource): DetailsByCode {
  const resources = [...policies.values()].flatMap(({ resource }) => resource ?? []);
  const details = resources.flatMap(({ entity, constraints = {} }) =>
    Object.entries(constraints).map(([name, { code }]) => [
      code,
      uniqueFaults(dataSource.getMetadata(entity), name),
    ]),
  );
  return Object.fromEntries(details.filter(([, faults]) => faults)) as DetailsByCode;
}

/**
 * The errors of its resource that a route can answer: 404, and those of the constraints that it can violate. Those of
 * other tables are in the way of a deletion; those of its own, of what writes one of their columns.
 */
function resourceErrors(
  { operation, method, policy: { resource, pathInResource = '', batch } }: DocumentedOperation,
  schemas: Schemas,
  nest: INestApplication,
): ErrorType[] {
  if (!resource) return [];
  const table = nest.get(DataSource, { strict: false }).getMetadata(resource.entity);
  const checks = table.checks.map(({ name }) => ({ name, columns: [] }));
  const own = [...checks, ...table.uniques, ...table.indices, ...table.foreignKeys];
  const written = schemaProperties(schemas, requestBodyRef(operation));
  const violable = Object.entries(resource.constraints ?? {}).filter(([name]) => {
    const constraint = own.find((one) => one.name === name);
    if (!constraint) return method === 'DELETE' || batch?.has('delete');
    const properties = [
      ...constraint.columns.map(({ propertyName }) => propertyName),
      ...uniqueFields(table, name),
    ];
    return method === 'POST' || properties.some((property) => property in written);
  });
  const namesRow = pathInResource.includes(':') || batch?.has('update') || batch?.has('delete');
  return [...(namesRow ? [resource.notFound] : []), ...violable.map(([, error]) => error)];
}

/** Versions after the first have their number in their names; what is served at the root as well says so. */
function nameOperations(
  operations: readonly DocumentedOperation[],
  defaultVersion: number | undefined,
): void {
  const taken = new Set<string>();
  for (const { operation, policy } of operations) {
    const { apiVersion = defaultVersion } = policy;
    const name = `${operation.operationId ?? ''}${apiVersion === defaultVersion ? '' : `V${apiVersion}`}`;
    operation.operationId = taken.has(name) ? `${name}AtRoot` : name;
    taken.add(operation.operationId);
  }
}

/** Marks as `readOnly` the properties of a resource that no body of its operations takes. */
function markServerOwned(operations: readonly DocumentedOperation[], schemas: Schemas): void {
  const written = new Map<string, string[]>();
  for (const { operation, policy } of operations) {
    const [body, answer] = [requestBodyRef(operation), responseRef(operation, policy.success?.status)];
    if (!body || !answer || policy.success?.kind !== 'resource') continue;
    written.set(answer, [...(written.get(answer) ?? []), ...Object.keys(schemaProperties(schemas, body))]);
  }
  for (const [answer, names] of written)
    for (const [name, property] of Object.entries(schemaProperties(schemas, answer)))
      if (!names.includes(name) && !('$ref' in property)) property.readOnly = true;
}

/** Paths and tags in the order of the groups of operations; those that the application does not name come last. */
function sortByTag(
  { paths }: OpenAPIObject,
  operations: readonly DocumentedOperation[],
  { tags }: ApiDocs,
): Pick<OpenAPIObject, 'paths' | 'tags'> {
  const rank = ({ operation }: DocumentedOperation): number =>
    tags.findIndex(({ name }) => name === firstTag(operation)) + 1 || tags.length + 1;
  const sorted = operations.toSorted((a, b) => rank(a) - rank(b));
  const groups = new Map(sorted.map((one) => [firstTag(one.operation), one.policy.resource?.description]));
  for (const { name, description } of tags)
    if (description !== undefined && groups.has(name)) groups.set(name, description);
  return {
    paths: Object.fromEntries(sorted.map(({ path }) => [path, paths[path] ?? {}])),
    tags: [...groups].map(([name, description]) => ({ name, description })),
  };
}
