import { readFileSync, writeFileSync } from 'node:fs';

import { ValidateFunction } from 'ajv';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

import { PRODUCT } from '../../src/config/product.js';
import { startApp, TestApp } from '../support/app.js';
import { surfaceOf } from '../support/api-surface.js';
import { addIdnEmail } from '../support/conformance.js';
import { Policies } from '../support/hosts.js';
import { OPENAPI_SCHEMA } from './openapi.schema.js';

interface Media {
  schema: Record<string, unknown>;
  example?: unknown;
  examples?: Record<string, { $ref?: string; value?: unknown }>;
}

interface Part {
  $ref?: string;
  description?: string;
  content?: Record<string, Media>;
  headers?: Record<string, unknown>;
}

interface ErrorSchema {
  properties: {
    error: { properties: { code: { const?: string }; status: { const?: number } } };
  };
}

interface Operation {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; schema?: object }[];
  requestBody?: Part;
  responses: Record<string, Part>;
}

interface Document {
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

const FILE = 'docs/openapi.json';
const SURFACE = 'docs/api-surface.txt';

let app: TestApp;
let policies: Policies;
let whole: Document;
let served: [name: string, document: Document][];

const read = async (path: string): Promise<string> => (await fetch(app.baseUrl + path)).text();

beforeAll(async () => {
  app = await startApp({});
  policies = await app.policies();
  whole = JSON.parse(await read('/docs/openapi.json')) as Document;
  served = [
    ['all versions', whole],
    ['v1', JSON.parse(await read('/docs/v1/openapi.json')) as Document],
    ['v2', JSON.parse(await read('/docs/v2/openapi.json')) as Document],
  ];
});
afterAll(() => app.stop());

const operationsOf = (document: Document): [where: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      { ...operation, responses: resolvedResponses(document, operation) },
    ]),
  );

/** The responses of an operation, those that it shares with others looked up. */
const resolvedResponses = (document: Document, { responses }: Operation): Operation['responses'] =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      response.$ref === undefined ? response : (resolve(document, response.$ref) as Part),
    ]),
  );

/** The names of the operations of which something does not hold. */
const where = (document: Document, isWrong: (operation: Operation, name: string) => boolean): string[] =>
  operationsOf(document)
    .filter(([name, operation]) => isWrong(operation, name))
    .map(([name]) => name);

/** Every reference of a document. */
function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = (node as { $ref?: unknown }).$ref;
  return [...(typeof own === 'string' ? [own] : []), ...Object.values(node).flatMap(referencesIn)];
}

/** Where two values differ, by their paths; the order of keys counts. */
function differences(a: unknown, b: unknown, at = ''): string[] {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b ? [] : [at];
  const [ofA, ofB] = [Object.keys(a), Object.keys(b)];
  const onlyInOne = [...ofA.filter((key) => !ofB.includes(key)), ...ofB.filter((key) => !ofA.includes(key))];
  if (onlyInOne.length > 0) return onlyInOne.map((key) => `${at}/${key}`);
  const inOrder = ofA.join('\n') === ofB.join('\n') ? [] : [`${at} (order)`];
  return [...inOrder, ...ofA.flatMap((key) => differences(a[key as never], b[key as never], `${at}/${key}`))];
}

function resolve(document: Document, reference: string): unknown {
  const [, , shelf = '', name = ''] = reference.split('/');
  return document.components[shelf]?.[name];
}

describe('the OpenAPI document', () => {
  it(`is the one in ${FILE}`, async () => {
    const text = `${JSON.stringify(whole, null, 2)}\n`;
    if (process.env['UPDATE_OPENAPI']) writeFileSync(FILE, text);
    const committed = JSON.parse(readFileSync(FILE, 'utf8')) as Document;
    // Else `npm run openapi` writes it anew.
    expect(differences(committed, whole).slice(0, 10)).toEqual([]);
  });

  it(`has the surface in ${SURFACE}, a line for each operation and schema`, () => {
    const text = `${surfaceOf(whole as never).join('\n')}\n`;
    if (process.env['UPDATE_OPENAPI']) writeFileSync(SURFACE, text);
    // Else `npm run openapi` writes it anew.
    expect(readFileSync(SURFACE, 'utf8')).toBe(text);
  });

  it('G5 is that of the release, in each of its forms', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(served.map(([, { info }]) => info.version)).toEqual([version, version, version]);
  });

  it('is the same in YAML', async () => {
    expect(parse(await read('/docs/openapi.yaml'))).toEqual(whole);
  });

  it('is valid OpenAPI 3.1, in each of its forms', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(OPENAPI_SCHEMA);
    for (const [name, document] of served) {
      const isValid = validate(document);
      expect(`${name}: ${isValid ? 'valid' : ajv.errorsText(validate.errors, { separator: '\n' })}`).toBe(
        `${name}: valid`,
      );
    }
  });

  it('is found wanting by that schema where it breaks a rule', () => {
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(OPENAPI_SCHEMA);
    const broken = (change: (operation: Operation & Record<string, unknown>) => void): boolean => {
      const copy = JSON.parse(JSON.stringify(whole)) as Document;
      change(copy.paths['/api/v1/products']!['get'] as never);
      return validate(copy);
    };
    expect(broken(() => undefined)).toBe(true);
    expect(broken((operation) => (operation['consumes'] = []))).toBe(false);
    expect(broken((operation) => (operation.operationId = 'login[0]'))).toBe(false);
    expect(broken((operation) => delete operation.responses['200']!.description)).toBe(false);
    expect(broken((operation) => (operation.responses['ok'] = { description: 'x' }))).toBe(false);
    expect(
      broken((operation) => (operation.parameters![0]!.schema = { type: 'string', nullable: true })),
    ).toBe(false);
    expect(broken((operation) => (operation.parameters![0]!.in = 'body'))).toBe(false);
  });

  it('refers to what is there, and holds nothing else', () => {
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

  it('has every route, and each operation a name of its own', () => {
    const routes = Object.keys(policies)
      // The docs, and the addresses that lead to them.
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

  it('has a parameter for each part of a path, and them first', () => {
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

  it('says of each operation what success and bad requests look like, and D2 the rest once', () => {
    const has = ({ responses }: Operation, pattern: RegExp): boolean =>
      Object.keys(responses).some((status) => pattern.test(status));
    for (const pattern of [/^2/, /^400$/, /^default$/]) {
      expect(where(whole, (operation) => !has(operation, pattern))).toEqual([]);
    }
    expect(where(whole, (operation) => operation.security.length > 0 && !has(operation, /^401$/))).toEqual(
      [],
    );
    const { headers, content } = whole.components['responses']!['CommonError'] as Part;
    expect(Object.keys(headers!)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit', 'Retry-After']),
    );
    expect(Object.keys(content!['application/json']!.examples!)).toEqual(
      expect.arrayContaining(['BAD_REQUEST', 'URI_TOO_LONG', 'RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR']),
    );
    expect(where(whole, (operation) => has(operation, /^(406|408|41[0345]|417|429|431|50[024])$/))).toEqual(
      [],
    );
    const most = Math.max(...operationsOf(whole).map(([, { responses }]) => Object.keys(responses).length));
    expect(most).toBeLessThanOrEqual(10);
  });

  it('G1 types each error by name, flat, with a literal code and status', () => {
    const schemas = whole.components['schemas'] as Record<string, ErrorSchema>;
    expect(schemas['ProductNotFoundError']!.properties.error.properties).toMatchObject({
      code: { const: 'PRODUCT_NOT_FOUND' },
      status: { const: 404 },
    });
    const error = schemas['Error']!.properties.error.properties;
    expect([error.code.const, error.status.const]).toEqual([undefined, undefined]);
    const faults = operationsOf(whole).flatMap(([name, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => /^[45]/.test(status))
        .flatMap(([status, { content }]) => {
          const { $ref, anyOf } = content!['application/json']!.schema as {
            $ref?: string;
            anyOf?: { $ref: string }[];
          };
          const names = [...(anyOf ?? []).map((one) => one.$ref), ...($ref === undefined ? [] : [$ref])];
          const literals = names.map(
            (one) => (resolve(whole, one) as ErrorSchema).properties.error.properties,
          );
          const isRight =
            literals.length > 0 &&
            literals.every((own) => own.status.const === Number(status) && own.code.const);
          return isRight ? [] : [`${name} ${status}`];
        }),
    );
    expect(faults).toEqual([]);
    const names = Object.values(whole.components).flatMap((shelf) => Object.keys(shelf));
    // Of a version, no other.
    expect(names.filter((name) => /\d/.test(name.replace(/V2(Cursor)?(Page)?$/, '')))).toEqual([]);
  });

  it('G2 requires of a body what the API requires, and no more', () => {
    const schemas = whole.components['schemas'] as Record<string, { required?: string[] }>;
    const required = (name: string) => schemas[name]!.required;
    expect(required('CreateProduct')).toEqual(['name', 'price', 'category']);
    expect(required('ReplaceProduct')).toEqual(['name', 'price']);
    expect(required('PatchProduct')).toBeUndefined();
    expect(required('CreateUser')!.sort()).toEqual(['email', 'password']);
    const bodies = operationsOf(whole).flatMap(([, { requestBody }]) => referencesIn(requestBody));
    const withDefault = bodies.filter((body) => JSON.stringify(resolve(whole, body)).includes('"default":'));
    expect(withDefault).toEqual([]);
  });

  it('G3 tells pages apart, and says sorts, sets, what excludes each other, and cookies', () => {
    const schemas = whole.components['schemas'] as Record<string, { properties: Record<string, object> }>;
    const { get: list } = whole.paths['/api/v1/products'] as { get: Operation };
    expect(list.responses['200']!.content!['application/json']!.schema).toEqual({
      anyOf: [
        { $ref: '#/components/schemas/ProductPage' },
        { $ref: '#/components/schemas/ProductCursorPage' },
      ],
    });
    const sort = list.parameters!.find(({ name }) => name === 'sort')!.schema as {
      type: string;
      pattern: string;
      default: string;
    };
    expect([sort.type, sort.default]).toEqual(['string', 'createdAt:desc']);
    const isSort = (text: string): boolean => new RegExp(sort.pattern, 'u').test(text);
    expect(
      ['price:asc', 'price:desc,name:asc', 'price:up', 'colour:asc', 'price:asc,', ''].map(isSort),
    ).toEqual([...[true, true, false, false, false, false]]);
    expect(schemas['CreateApiKey']!.properties['permissions']).toMatchObject({ uniqueItems: true });
    const refresh = whole.paths['/api/v1/auth/refresh']!['post']!;
    expect(refresh.parameters!.map(({ name, in: place }) => [name, place])).toContainEqual([
      'refresh_token',
      'cookie',
    ]);
    const validate = new Ajv({ strict: false, formats: { int32: true, int64: true } }).compile(
      schemas['CreateAccessGrant']!,
    );
    const grant = { resourceType: 'product', resourceId: 1, permissions: ['read'], effect: 'allow' };
    const accepted = [
      { userId: 1 },
      { apiKeyId: 1 },
      { userId: 1, apiKeyId: null },
      {},
      { userId: 1, apiKeyId: 1 },
      { userId: null },
    ];
    expect(accepted.map((own) => validate({ ...grant, ...own }))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('G4 names operations as clients call them', () => {
    const ids = operationsOf(whole).map(([, { operationId }]) => operationId);
    expect(ids).toEqual(
      expect.arrayContaining([
        ...['listProducts', 'getProduct', 'createProduct', 'replaceProduct', 'patchProduct', 'deleteProduct'],
        ...['getCurrentUser', 'patchOrderItem', 'deleteOrderItem', 'listItemsOfOrder', 'getItemOfOrder'],
        ...['listProductsV2', 'getLiveness', 'listPublicKeys'],
      ]),
    );
    expect(ids.filter((id) => /^(remove|me[A-Z])/.test(id))).toEqual([]);
  });

  it('D1 shows nothing that is dangerous to send', () => {
    const shown = (path: string) =>
      whole.paths[path]!['post']!.requestBody!.content!['application/json']!.example as Record<
        string,
        unknown
      >;
    expect(Object.keys(shown('/api/v1/users')).sort()).toEqual(['email', 'name', 'password']);
    // Too common to be taken.
    expect(shown('/api/v1/users')['password']).toBe('password');
  });

  it('asks for credentials as the routes do', () => {
    const isWrong = ({ security }: Operation, name: string): boolean => {
      const [method = '', path = ''] = name.split(' ');
      const policy = policies[`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`];
      const isOptional = security.some((way) => Object.keys(way).length === 0);
      if (policy?.access?.isPublic && policy.access.isIdentifying) return !isOptional;
      return (policy?.access?.isPublic === true) !== (security.length === 0);
    };
    expect(where(whole, isWrong)).toEqual([]);
    const schemes = Object.keys(whole.components['securitySchemes'] ?? {});
    const named = operationsOf(whole).flatMap(([, { security }]) =>
      security.flatMap((way) => Object.keys(way)),
    );
    expect([...new Set(named)].sort()).toEqual(schemes.sort());
  });

  it('shows every body by an example that its schema takes', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    addIdnEmail(ajv);
    ajv.addSchema({ $id: 'document', components: whole.components });
    const validators = new Map<string, ValidateFunction>();
    const faults: string[] = [];
    for (const [name, { requestBody, responses }] of operationsOf(whole)) {
      const parts: [string, Part | undefined][] = [['body', requestBody], ...Object.entries(responses)];
      for (const [part, { content = {} } = {}] of parts) {
        const media = content['application/json'];
        if (!media) continue;
        const schema = JSON.stringify(media.schema).replaceAll('"#/components', '"document#/components');
        const validate = validators.get(schema) ?? ajv.compile(JSON.parse(schema) as object);
        validators.set(schema, validate);
        const named = Object.values(media.examples ?? {}).map(({ $ref, value }) =>
          $ref === undefined ? value : (resolve(whole, $ref) as { value: unknown }).value,
        );
        const examples = media.example === undefined ? named : [media.example];
        if (examples.length === 0) faults.push(`${name} ${part} has no example`);
        for (const example of examples) {
          if (!validate(example)) faults.push(`${name} ${part}: ${ajv.errorsText(validate.errors)}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('has a part for each version, with its own paths and those that have none', () => {
    const all = Object.keys(whole.paths);
    for (const [version, other] of [
      [1, 2],
      [2, 1],
    ]) {
      const [name, document] = served[version!]!;
      expect(name).toBe(`v${version}`);
      expect(document.info.title).toBe(`${PRODUCT.name} v${version}`);
      // D3: what is served at the root as well is listed once.
      expect(Object.keys(document.paths)).toEqual(
        all.filter(
          (path) => !path.startsWith(`/api/v${other}/`) && !['/login', '/auth/refresh'].includes(path),
        ),
      );
      expect(Object.keys(document.paths).some((path) => path.startsWith(`/api/v${version}/`))).toBe(true);
    }
    const [, [, v1], [, v2]] = served as [unknown, [string, Document], [string, Document]];
    expect(Object.keys(v1.components['schemas']!)).not.toContain('ProductV2');
    expect(Object.keys(v2.components['schemas']!)).not.toContain('Product');
  });

  it('marks what the server alone writes', () => {
    const schema = (name: string) =>
      whole.components['schemas']![name] as { properties: Record<string, { readOnly?: boolean }> };
    const readOnly = (name: string): string[] =>
      Object.entries(schema(name).properties)
        .filter(([, property]) => property.readOnly)
        .map(([property]) => property);
    expect(readOnly('Product').sort()).toEqual(['createdAt', 'id', 'rating', 'updatedAt']);
    expect(readOnly('ProductV2').sort()).toEqual([
      'createdAt',
      'currency',
      'id',
      'rating',
      'reviewCount',
      'updatedAt',
    ]);
    expect(readOnly('IssuedCredentials')).toEqual([]);
  });
});
