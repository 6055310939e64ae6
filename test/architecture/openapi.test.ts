import { readFileSync } from 'node:fs';

import { validate } from '@scalar/openapi-parser';
import { parse } from 'yaml';

import { surfaceOf } from '../../packages/dev/src/openapi/surface.js';
import { useApp } from '../support/app.js';
import { Policies } from '../support/hosts.js';
import {
  Document,
  ErrorSchema,
  Operation,
  Part,
  operationsOf,
  referencesIn,
  resolve,
  where,
  documentsOf,
  ServedDocuments,
} from '../support/openapi-document.js';

const SURFACE = 'docs/api-surface.txt';

const app = useApp({ DOCS: 'true' });
let policies: Policies;
let whole: Document;
let served: ServedDocuments;

const read = async (path: string): Promise<string> => (await fetch(app.baseUrl + path)).text();

beforeAll(async () => {
  policies = await app.policies();
  served = await documentsOf(app.baseUrl);
  whole = served[0][1];
});

describe('the OpenAPI document', () => {
  it(`equals the surface in ${SURFACE}, with a line for each operation and schema`, () => {
    const text = `${surfaceOf(whole as never).join('\n')}\n`;
    // If it differs, `npm run openapi` writes the file anew.
    expect(readFileSync(SURFACE, 'utf8')).toBe(text);
  });

  it('has the version of the release in each of its forms', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(served.map(([, { info }]) => info.version)).toEqual([version, version, version]);
  });

  it('has the same content in YAML', async () => {
    expect(parse(await read('/docs/openapi.yaml'))).toEqual(whole);
  });

  it('is valid OpenAPI 3.1', async () => {
    const { valid, version, errors } = await validate(whole);
    expect([valid, version, errors]).toEqual([true, '3.1', []]);
    const broken = structuredClone(whole);
    delete broken.paths['/api/v1/products']!['get']!.responses['200']!.description;
    expect((await validate(broken as never)).valid).toBe(false);
  });

  it('describes details for the errors 400 and 422, and for a 409 that a unique value causes', () => {
    const withDetails = Object.values(whole.components['schemas'] ?? {}).flatMap((schema) => {
      const { error } = (schema as Partial<ErrorSchema>).properties ?? {};
      const { code, status, details } = (error?.properties ?? {}) as Record<
        string,
        { const?: unknown } | undefined
      >;
      return details && status?.const === 409 ? [code?.const] : [];
    });
    expect(withDetails.sort()).toEqual([
      'EMAIL_ALREADY_EXISTS',
      'ORDER_ITEM_ALREADY_EXISTS',
      'REVIEW_ALREADY_EXISTS',
    ]);
    expect(whole.components['examples']?.['EMAIL_ALREADY_EXISTS']).toMatchObject({
      value: { error: { details: [{ field: 'email', code: 'NOT_UNIQUE' }] } },
    });
  });

  it('has Retry-After on every response that asks the client to try again', () => {
    const codes = /"#\/components\/examples\/(IDEMPOTENCY_KEY_IN_USE|OVERLOADED|RATE_LIMIT_EXCEEDED)"/;
    const silent = operationsOf(whole).flatMap(([name, { responses }]) =>
      Object.entries(responses)
        .filter(([, response]) => codes.test(JSON.stringify(response.content ?? {})))
        .filter(([, { headers }]) => !headers || !('Retry-After' in headers))
        .map(([status]) => `${name} ${status}`),
    );
    expect(silent).toEqual([]);
  });

  it('refers only to components that exist, and contains no unused ones', () => {
    for (const [name, document] of served) {
      const references = new Set(referencesIn(document));
      expect([...references].filter((reference) => resolve(document, reference) === undefined)).toEqual([]);
      const { securitySchemes = {}, ...shelves } = document.components;
      const all = Object.entries(shelves).flatMap(([shelf, entries]) =>
        Object.keys(entries).map((entry) => `#/components/${shelf}/${entry}`),
      );
      expect([name, all.filter((reference) => !references.has(reference))]).toEqual([name, []]);
      expect(Object.keys(securitySchemes).length).toBeGreaterThan(0);
    }
  });

  it('requires a grant to name a user or a key', () => {
    const anyOf = [{ required: ['userId'] }, { required: ['apiKeyId'] }];
    expect(whole.components['schemas']!['CreateAccessGrant']).toMatchObject({ anyOf });
  });

  it('has every route, and a unique name for each operation', () => {
    const routes = Object.keys(policies)
      // Leaves out the docs and the addresses that redirect to them.
      .filter((route) => !/^HEAD | \/docs| \/reference| \/(api(\/v\d)?)?$/.test(route))
      .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
    const documented = operationsOf(whole).map(([name]) =>
      name.replace(/^\w+/, (method) => method.toUpperCase()),
    );
    expect(documented.sort()).toEqual(routes.sort());
    const ids = operationsOf(whole).map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes each tag, in the order of the paths', () => {
    for (const [, document] of served) {
      const used = new Set(operationsOf(document).flatMap(([, { tags }]) => tags));
      expect([...used]).toEqual(document.tags.map(({ name }) => name).filter((name) => used.has(name)));
    }
  });

  it('lists a parameter for each part of a path, before all others', () => {
    const isWrong = ({ parameters = [] }: Operation, name: string): boolean => {
      const inPath = parameters
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => parameter.name);
      const places = [...name.matchAll(/\{(\w+)\}/g)].map(([, place]) => place);
      const order = parameters.map((parameter) =>
        ['path', 'query', 'header', 'cookie'].indexOf(parameter.in),
      );
      return inPath.join() !== places.join() || order.some((place, i) => place < (order[i - 1] ?? 0));
    };
    expect(where(whole, isWrong)).toEqual([]);
  });

  it('describes success, 400, 429 and server errors for each operation, and all other errors once', () => {
    const has = ({ responses }: Operation, pattern: RegExp): boolean =>
      Object.keys(responses).some((status) => pattern.test(status));
    for (const pattern of [/^2/, /^400$/, /^500$/, /^503$/, /^default$/]) {
      expect(where(whole, (operation) => !has(operation, pattern))).toEqual([]);
    }
    const uncounted = where(whole, (operation) => !has(operation, /^429$/));
    expect(uncounted).toEqual(['get /health/live', 'get /health/ready']);
    // A public route that also reads credentials, such as the logout, never answers 401.
    const isRefusing = ({ security }: Operation): boolean =>
      security.length > 0 && !security.some((way) => Object.keys(way).length === 0);
    expect(where(whole, (operation) => isRefusing(operation) && !has(operation, /^401$/))).toEqual([]);
    const { headers, content } = whole.components['responses']!['CommonError'] as Part;
    expect(Object.keys(headers!)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit', 'Retry-After']),
    );
    expect(Object.keys(content!['application/json']!.examples!)).toEqual(
      expect.arrayContaining(['BAD_REQUEST', 'URI_TOO_LONG', 'RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR']),
    );
    expect(where(whole, (operation) => has(operation, /^(406|408|41[0345]|417|431)$/))).toEqual([]);
    const most = Math.max(...operationsOf(whole).map(([, { responses }]) => Object.keys(responses).length));
    expect(most).toBeLessThanOrEqual(15);
  });

  it('declares in a machine-readable form who may call each operation that is not public', () => {
    const isOpen = ({ security }: Operation): boolean =>
      security.length === 0 || security.some((scheme) => Object.keys(scheme).length === 0);
    expect(where(whole, (operation) => isOpen(operation) === 'x-access' in operation)).toEqual([]);
    expect(whole.paths['/api/v1/orders']!['get']!['x-access']).toEqual({
      permission: 'read',
      staff: true,
      own: true,
    });
  });
});
