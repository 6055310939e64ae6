import { ValidateFunction } from 'ajv';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { useApp } from '../support/app.js';
import { addIdnEmail } from '../../packages/dev/src/testing/conformance.js';
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

const app = useApp({ DOCS: 'true' });
let policies: Policies;
let whole: Document;
let served: ServedDocuments;

beforeAll(async () => {
  policies = await app.policies();
  served = await documentsOf(app.baseUrl);
  whole = served[0][1];
});

describe('the texts of the OpenAPI document', () => {
  it('repeat no sentence directly', () => {
    const twice = operationsOf(whole).flatMap(([name, { responses }]) =>
      Object.values(responses).flatMap(({ description = '' }) =>
        /^(.+)\n+\1$/.test(description) ? [`${name}: ${description}`] : [],
      ),
    );
    expect(twice).toEqual([]);
  });

  it('describe what each operation does, not only who may call it', () => {
    const paragraphs = operationsOf(whole).flatMap(([name, { tags, description }]) =>
      description.split('\n\n').map((text) => ({ name, tag: tags[0] ?? '', text })),
    );
    const tagsOf = new Map<string, Set<string>>();
    for (const { tag, text } of paragraphs) tagsOf.set(text, (tagsOf.get(text) ?? new Set()).add(tag));
    // A sentence that operations of other tags share describes none of them.
    const isOwn = ({ text }: { text: string }): boolean =>
      tagsOf.get(text)?.size === 1 && !text.startsWith('**Access:**') && /^[A-Z].{25,}\.$/m.test(text);
    const described = new Set(paragraphs.filter(isOwn).map(({ name }) => name));
    expect(
      operationsOf(whole)
        .filter(([name]) => !described.has(name))
        .map(([name]) => name),
    ).toEqual([]);
  });

  it('describe tokens, cookies and `scheme` for the login, and no permission for the logout', () => {
    const description = (path: string): string => String(whole.paths[path]?.['post']?.description);
    for (const path of ['/login', '/api/v1/login', '/api/v2/login'])
      for (const words of ['Authorization: Bearer', 'refresh_token', 'session_id', '`scheme`'])
        expect(description(path)).toContain(words);
    expect(description('/api/v1/logout')).not.toMatch(/needs the permission `delete`;/);
  });

  it('list the bearer scheme last, because some clients keep only the last `Authorization` header', () => {
    const last = operationsOf(whole).flatMap(([, { security }]) =>
      security.slice(-1).flatMap((way) => Object.keys(way)),
    );
    expect([...new Set(last)]).toEqual(['bearer']);
  });

  it('name the origin that the document was fetched from', async () => {
    const port = new URL(app.baseUrl).port;
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      const origin = `http://${host}`;
      const texts = await Promise.all(
        ['docs/openapi.json', 'docs/openapi.yaml', 'docs/v2/openapi.json', 'reference/v1.json'].map(
          async (path) => (await fetch(`${origin}/${path}`)).text(),
        ),
      );
      for (const text of texts) expect(text).not.toContain('https://api.example.com');
      expect((JSON.parse(texts[0]!) as { servers: object[] }).servers).toMatchObject([{ url: origin }]);
      expect(texts[1]).toContain(`url: ${origin}\n`);
      expect(texts[3]).toContain(`BASE=${origin}\\n`);
    }
  });

  it('name each error in a flat schema with a literal code and status', () => {
    const schemas = whole.components['schemas'] as Record<string, ErrorSchema>;
    expect(schemas['ProductNotFoundError']!.properties.error.properties).toMatchObject({
      code: { const: 'PRODUCT_NOT_FOUND' },
      status: { const: 404 },
    });
    const faults = operationsOf(whole).flatMap(([name, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => /^[45]/.test(status))
        .flatMap(([status, { content }]) => {
          const ofStatus = new RegExp(`^${status.replaceAll('X', '\\d')}$`);
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
            literals.every((own) => ofStatus.test(String(own.status.const)) && own.code.const);
          return isRight ? [] : [`${name} ${status}`];
        }),
    );
    expect(faults).toEqual([]);
    const names = Object.values(whole.components).flatMap((shelf) => Object.keys(shelf));
    // Names contain a digit only as the suffix of a version.
    expect(names.filter((name) => /\d/.test(name.replace(/V2(Cursor)?(Page)?$/, '')))).toEqual([]);
  });

  it('require exactly the fields of a body that the API requires', () => {
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

  it('ask for the same credentials as the routes', () => {
    const isWrong = ({ security }: Operation, name: string): boolean => {
      const [method = '', path = ''] = name.split(' ');
      const policy = policies[`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`];
      const isOptional = security.some((way) => Object.keys(way).length === 0);
      if (policy?.access?.isPublic && policy.access.authenticatesCaller) return !isOptional;
      if (policy?.access?.isPublic) return security.length > 0 && !isOptional;
      return security.length === 0 || isOptional;
    };
    expect(where(whole, isWrong)).toEqual([]);
    const schemes = Object.keys(whole.components['securitySchemes'] ?? {});
    const named = operationsOf(whole).flatMap(([, { security }]) =>
      security.flatMap((way) => Object.keys(way)),
    );
    expect([...new Set(named)].sort()).toEqual(schemes.sort());
  });

  it('show every body with an example that is valid by its schema', () => {
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

  it('form a document for each version, with its own paths and those without a version', () => {
    const all = Object.keys(whole.paths);
    for (const [version, other] of [
      [1, 2],
      [2, 1],
    ]) {
      const [name, document] = served[version!]!;
      expect(name).toBe(`v${version}`);
      expect(document.info.title).toBe(`${PRODUCT.name} v${version}`);
      // Paths that are also served at the root are listed once (D3).
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

  it('mark the fields that only the server writes', () => {
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
      'etag',
      'id',
      'rating',
      'reviewCount',
      'updatedAt',
    ]);
    expect(readOnly('IssuedCredentials')).toEqual([]);
  });
});
