import { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { FastifyInstance } from 'fastify';
import { DataSource } from 'typeorm';

import { PRODUCT } from '../config/product.js';
import { vendorMediaType } from '../http/negotiation/negotiate.js';
import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { VERSIONS } from '../http/negotiation/versions.js';
import { RoutePolicy } from '../http/route-policy.js';
import { constraintsOf, resourceErrors } from '../resources/openapi/resource-errors.js';
import { schemaAt, withoutUnused, PathItemObject, OpenAPIObject } from './components.js';
import { operationName } from './describe-operation.js';
import { documentOperation } from './document-operation.js';
import {
  COMMON_RESPONSE,
  commonErrorsOf,
  commonResponse,
  commonSchema,
  ErrorResponses,
} from './error-responses.js';
import { errorExamples, errorSchemas } from './error-schemas.js';
import { addExamples } from './examples.js';
import { byStatusAndCode } from './operation-errors.js';
import { toJsonSchemas } from './json-schema.js';
import { describeHeaders } from './response-headers.js';
import {
  describeDefaults,
  Documented,
  excludeEachOther,
  jsonOf,
  markServerOwned,
  namePages,
  referenceOf,
} from './schemas.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const DESCRIPTION = `
Products, users, orders and reviews over JSON and HTTP. The [reference](/reference) has guides: how to start, authenticate,
page, cache, write safely and handle errors. Every GET also answers HEAD, every path OPTIONS.

- **Errors** have one form. An operation lists its own codes, and those of every operation under \`default\`. A path that
  does not exist is 404 \`ROUTE_NOT_FOUND\`, a method that a path does not have 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`.
- **Headers** of every response are listed once, with the response \`CommonError\`: \`X-Request-Id\`, the \`RateLimit\`
  headers, \`Cache-Control\`, \`Vary\`.
- **Bodies**: a \`readOnly\` field may be sent back and is ignored; an unknown field is 400.
- **Versions**: the path names one. On \`/api/…\` without one, \`Accept: ${vendorMediaType(2)}\` does.
`;

/** Builds the OpenAPI document of a service whose routes are registered: all versions in one. */
export function buildDocument(nest: INestApplication): OpenAPIObject {
  const schemes = nest.get(AuthSchemes, { strict: false });
  const frame = new DocumentBuilder().setOpenAPIVersion('3.1.0');
  for (const { documentName, openapi } of schemes.all) frame.addSecurity(documentName, openapi);
  const options = { operationIdFactory: operationName };
  const found = nameSchemas(SwaggerModule.createDocument(nest, frame.build(), options));
  const document: OpenAPIObject = {
    openapi: found.openapi,
    info: {
      title: PRODUCT.name,
      description: DESCRIPTION.trim(),
      version: PRODUCT.version,
      contact: { name: PRODUCT.name },
      // The types are those of OpenAPI 3.0, which has no `identifier`.
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } as { name: string },
    },
    servers: [{ url: '/', description: 'This server.' }],
    tags: [],
    paths: found.paths,
    components: { ...found.components, headers: describeHeaders(schemes) },
  };
  const operations = operationsOf(document, nest);
  complete(document, operations, nest);
  inOrder(document, operations);
  toJsonSchemas(document);
  return withoutUnused(document);
}

/**
 * The part of the document that is one version's: its own paths, and those that have none; of what is served at the
 * root as well, the versioned path alone.
 */
export function documentOfVersion(document: OpenAPIObject, version: number): OpenAPIObject {
  const prefix = `/api/v${version}`;
  const isShown = (path: string): boolean =>
    path.startsWith('/api/') ? path.startsWith(`${prefix}/`) : !(prefix + path in document.paths);
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isShown(path)));
  const info = { ...document.info, title: `${PRODUCT.name} v${version}` };
  const used = new Set(Object.values(paths).flatMap(tagNamesIn));
  const tags = document.tags?.filter(({ name }) => used.has(name));
  return withoutUnused({ ...document, info, tags, paths });
}

const tagNamesIn = (item: PathItemObject): string[] => METHODS.flatMap((method) => item[method]?.tags ?? []);

/** Names the schemas of DTOs by what they describe: `ProductDto` → `Product`. */
function nameSchemas(document: OpenAPIObject): OpenAPIObject {
  const text = JSON.stringify(document).replaceAll(/(?<="#\/components\/schemas\/\w+)Dto(?=")/g, '');
  const named = JSON.parse(text) as OpenAPIObject;
  const schemas = Object.entries(named.components?.schemas ?? {});
  const renamed = schemas.map(([name, schema]) => [name.replace(/Dto$/, ''), schema] as const);
  return { ...named, components: { ...named.components, schemas: Object.fromEntries(renamed) } };
}

interface Located extends Documented {
  readonly path: string;
}

function operationsOf(document: OpenAPIObject, nest: INestApplication): Located[] {
  const { policies } = nest.getHttpAdapter().getInstance() as FastifyInstance;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((name) => {
      const operation = item[name];
      const method = name.toUpperCase();
      return operation ? [{ operation, method, path, policy: policyFor(policies, method, path) }] : [];
    }),
  );
}

function complete(document: OpenAPIObject, operations: readonly Located[], nest: INestApplication): void {
  const schemes = nest.get(AuthSchemes, { strict: false });
  const names = new Set<string>();
  const errorResponses = new ErrorResponses(commonErrorsOf(schemes));
  const errors = new Map(errorResponses.common.map((error) => [error.code, error]));
  for (const { operation, method, policy } of operations) {
    operation.operationId = nameFor(operation.operationId ?? '', policy, names);
    const ofResource = errorsOfResource(document, { operation, method, policy }, nest);
    const route = { method, policy, schemes, resourceErrors: ofResource };
    const listed = documentOperation(operation, route, errorResponses);
    for (const error of listed) errors.set(error.code, error);
  }
  addErrors(document, [...errors.values()].sort(byStatusAndCode), errorResponses);
  namePages(document, operations);
  markServerOwned(document, operations);
  for (const operation of operations) addExamples(document, operation);
  describeDefaults(document, operations);
  excludeEachOther(document);
}

function errorsOfResource(
  document: OpenAPIObject,
  { operation, method, policy }: Documented,
  nest: INestApplication,
): ErrorType[] {
  if (!policy.resource) return [];
  const body = referenceOf(jsonOf(operation.requestBody)?.schema);
  const written = Object.keys((body && schemaAt(document, body).properties) ?? {});
  const metadata = nest.get(DataSource, { strict: false }).getMetadata(policy.resource.entity);
  return resourceErrors(method, policy, constraintsOf(metadata), written);
}

/** Adds what responses refer to: the schemas and examples of errors, and the response that all operations share. */
function addErrors(
  document: OpenAPIObject,
  errors: readonly ErrorType[],
  { shared, common }: ErrorResponses,
): void {
  const { components = {} } = document;
  components.schemas = {
    ...components.schemas,
    ...errorSchemas(errors),
    [COMMON_RESPONSE]: commonSchema(common),
  };
  components.responses = { ...shared, [COMMON_RESPONSE]: commonResponse(common) };
  components.examples = errorExamples(errors);
}

/** Versions after the first have their number in their names; what is served at the root as well says so. */
function nameFor(name: string, { apiVersion = VERSIONS[0] }: RoutePolicy, taken: Set<string>): string {
  const versioned = apiVersion === VERSIONS[0] ? name : `${name}V${apiVersion}`;
  const unique = taken.has(versioned) ? `${versioned}AtRoot` : versioned;
  taken.add(unique);
  return unique;
}

/** Groups the paths by their tags, and puts the methods of each in order. */
function inOrder(document: OpenAPIObject, operations: readonly Located[]): void {
  const tagOf = ({ operation }: Documented): string => operation.tags?.[0] ?? '';
  document.tags = tagsOf(
    new Map(operations.map((located) => [tagOf(located), located.policy.groupDescription])),
  );
  const rank = new Map(document.tags.map(({ name }, index) => [name, index]));
  const sorted = [...operations].sort((a, b) => (rank.get(tagOf(a)) ?? 0) - (rank.get(tagOf(b)) ?? 0));
  document.paths = Object.fromEntries(sorted.map(({ path }) => [path, byMethod(document.paths[path] ?? {})]));
}

const byMethod = (item: PathItemObject): PathItemObject =>
  Object.fromEntries(METHODS.flatMap((method) => (item[method] ? [[method, item[method]]] : [])));

function policyFor(policies: ReadonlyMap<string, RoutePolicy>, method: string, path: string): RoutePolicy {
  const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const policy = policies.get(`${method} ${route}`);
  if (!policy) throw new Error(`the document has ${method} ${path}, the server has not`);
  return policy;
}

/** Groups of operations, in the order in which the documents show them. */
const ORDER = [
  'Authentication',
  'Products',
  'Reviews',
  'Users',
  'Orders',
  'Order items',
  'Sessions',
  'API keys',
  'Access grants',
  'Health',
];

/** Of those that are no resources, which describe themselves. */
const DESCRIPTIONS: Readonly<Record<string, string | undefined>> = {
  Authentication: 'How a caller gets credentials.',
  Health: 'For whoever runs the service: whether it does.',
};

type Tag = NonNullable<OpenAPIObject['tags']>[number];

/** The tags that operations carry, in order, with their descriptions; those that the order does not name come last. */
export function tagsOf(used: ReadonlyMap<string, string | undefined>): Tag[] {
  const listed = ORDER.filter((name) => used.has(name));
  const others = [...used.keys()].filter((name) => !ORDER.includes(name));
  return [...listed, ...others].map((name) => ({ name, description: DESCRIPTIONS[name] ?? used.get(name) }));
}
