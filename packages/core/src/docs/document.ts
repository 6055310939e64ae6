import { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { FastifyInstance } from 'fastify';
import { DataSource } from 'typeorm';

import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { PRODUCT } from '../config/product.js';
import { isObject, JsonObject } from '../fields/dto-schema.js';
import { ApiDocs, renderText } from './api-docs.js';
import { assertUniqueNames, collectOperations, nameOperations } from './collect-operations.js';
import { ErrorResponses } from './error-responses.js';
import { addExamples, ORIGIN } from './examples.js';
import {
  DOCUMENT_METHODS,
  DocumentedOperation,
  OperationObject,
  requestBodyRef,
  responseRef,
  schemaProperties,
  Schemas,
  withoutUnusedComponents,
} from './openapi.js';
import { operationName } from './operation-names.js';
import { documentOperation } from './operation.js';
import { collectUniqueFaults, resourceErrors } from './resource-errors.js';
import { describeHeaders } from './response-headers.js';

/** Builds the OpenAPI document with all versions of the API. Call this function after the routes are registered. */
export function buildDocument(nest: INestApplication): OpenAPIObject {
  const schemes = nest.get(AuthSchemes, { strict: false });
  const docs = nest.get(ApiDocs, { strict: false });
  const frame = new DocumentBuilder().setOpenAPIVersion('3.1.0').addServer(ORIGIN, 'This server.');
  for (const { documentName, openapi } of schemes.all) frame.addSecurity(documentName, openapi);
  const { policies, versions } = nest.getHttpAdapter().getInstance() as FastifyInstance;
  const extraModels = [...policies.values()].flatMap(({ success }) => success?.type ?? []);
  const options = { operationIdFactory: operationName, extraModels };
  const found = nameSchemas(SwaggerModule.createDocument(nest, frame.build(), options));
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
  const sorted = sortByTag(found, operations, docs);
  return withoutUnusedComponents({
    ...found,
    info: {
      title: PRODUCT.name,
      description: renderText(nest, 'description.md'),
      version: PRODUCT.version,
      contact: { name: PRODUCT.name },
      license: docs.license,
    },
    ...sorted,
    components: {
      ...found.components,
      ...errors.components(schemas),
      headers: describeHeaders(schemes, exampleListPath(operations, sorted.paths)),
    },
  });
}

/**
 * Returns the part of the document for one version: the paths of that version, and paths without a version. Leaves out
 * a path without a version if the version has the same path.
 */
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

/** Removes `Dto` from the names of schemas (`ProductDto` → `Product`), and converts exclusive bounds. */
const nameSchemas = (document: OpenAPIObject): OpenAPIObject =>
  JSON.parse(
    JSON.stringify(document).replaceAll(/(?<="(?:#\/components\/schemas\/)?\w+)Dto(?=")/g, ''),
    (_name, part: unknown) => (isObject(part) ? withExclusiveBounds(part) : part),
  ) as OpenAPIObject;

/** Converts exclusive bounds from OpenAPI 3.0 (`minimum: 0, exclusiveMinimum: true`) to 3.1 (`exclusiveMinimum: 0`). */
function withExclusiveBounds(schema: JsonObject): JsonObject {
  const { exclusiveMinimum: above, exclusiveMaximum: below, minimum, maximum, ...others } = schema;
  if (typeof above !== 'boolean' && typeof below !== 'boolean') return schema;
  return {
    ...others,
    ...(minimum !== undefined && { [above === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum !== undefined && { [below === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
}

/** Marks a property of a resource as `readOnly` if no request body of the resource's operations has the property. */
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

/** Sorts paths and tags by the application's order of tags. Tags that the application does not list come last. */
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

/** Returns the first path of the document that lists a resource and has no parameters. */
function exampleListPath(operations: readonly DocumentedOperation[], sorted: OpenAPIObject['paths']): string {
  const lists = operations.filter(({ policy }) => policy.success?.kind === 'list').map(({ path }) => path);
  return Object.keys(sorted).find((path) => lists.includes(path) && !path.includes('{')) ?? '/api/v1/items';
}
