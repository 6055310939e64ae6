import { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { FastifyInstance } from 'fastify';

import { RoutePolicy } from '#src/common/http/route-policy.js';

import { documentOperation } from './document-operation.js';
import { ERROR_SCHEMAS } from './error-schemas.js';
import { OperationObject } from './openapi-types.js';
import { HEADERS } from './response-headers.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const DESCRIPTION = `
Products, users, orders and reviews over JSON and HTTP. Every GET also answers HEAD, every path OPTIONS.

- **Errors** have one form; \`error.code\` is one of those that the operation lists.
- **Lists** come in pages by number (\`page\`) or by cursor (\`cursor\`), see any list.
- **Validators**: send \`ETag\` back in \`If-None-Match\` to revalidate, in \`If-Match\` to write only what you saw.
- **Versions**: the path names one; on \`/api/…\` without one \`Accept: application/vnd.plinth.v2+json\` does.
`;

const BEARER = 'The `accessToken` of `POST /login` or `POST /auth/refresh`.';
const API_KEY = 'The `key` that `POST /api-keys` shows once.';
const SESSION =
  'Set by `POST /login`; browsers send it by themselves, and pages cannot read it: to use it here, log in here.';

/** Builds the OpenAPI document of a service whose routes are registered: all versions in one. */
export function buildDocument(nest: INestApplication): OpenAPIObject {
  const description = new DocumentBuilder()
    .setTitle('Plinth')
    .setDescription(DESCRIPTION.trim())
    .setVersion('1.0.0')
    .setOpenAPIVersion('3.0.3')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: BEARER }, 'bearer')
    .addBasicAuth({ type: 'http', scheme: 'basic', description: 'E-mail and password, UTF-8.' }, 'basic')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: API_KEY }, 'apiKey')
    .addCookieAuth('session_id', { type: 'apiKey', in: 'cookie', description: SESSION }, 'session')
    .build();
  const document = SwaggerModule.createDocument(nest, description, { operationIdFactory: operationId });
  const { policies } = nest.getHttpAdapter().getInstance() as FastifyInstance;
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...ERROR_SCHEMAS },
    headers: { ...HEADERS },
  };
  for (const [operation, method, path] of operationsOf(document)) {
    const policy = policyFor(policies, method, path);
    if (policy.apiVersion === 2) operation.operationId = `${operation.operationId ?? ''}V2`;
    documentOperation(operation, method, policy);
  }
  return document;
}

/** The part of the document that is one version's: its own paths, and those that have none. */
export function documentOfVersion(document: OpenAPIObject, version: number): OpenAPIObject {
  const isOther = (path: string): boolean =>
    path.startsWith('/api/') && !path.startsWith(`/api/v${version}/`);
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !isOther(path)));
  return { ...document, info: { ...document.info, title: `Plinth v${version}` }, paths };
}

function* operationsOf(
  document: OpenAPIObject,
): Generator<[operation: OperationObject, method: string, path: string]> {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation) yield [operation, method.toUpperCase(), path];
    }
  }
}

function policyFor(policies: ReadonlyMap<string, RoutePolicy>, method: string, path: string): RoutePolicy {
  const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const policy = policies.get(`${method} ${route}`);
  if (!policy) throw new Error(`the document has ${method} ${path}, the server has not`);
  return policy;
}

/** `ProductsController.get` → `getProduct`, `.list` → `listProducts`; `LoginController.login` → `login`. */
function operationId(controller: string, method: string): string {
  const plural = controller.replace(/(V\d+)?Controller$/, '');
  if (method.toLowerCase() === plural.toLowerCase()) return method;
  const singular = plural.replace(/ies$/, 'y').replace(/s$/, '');
  return `${method}${method === 'list' ? plural : singular}`;
}
