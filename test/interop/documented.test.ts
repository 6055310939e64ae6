import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { useInProcess } from '../support/own-app.js';
import { DocumentedModule } from './documented.module.js';
import { NestedModule } from './nested.module.js';

interface Media {
  readonly schema?: object;
  readonly example?: unknown;
}

interface Parameter {
  readonly name: string;
  readonly schema: object;
  readonly description?: string;
  readonly example?: unknown;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const app = useInProcess({ DOCS: 'true' }, undefined, [DocumentedModule, NestedModule]);
let document: { readonly paths: Paths; readonly components: object };
beforeAll(async () => {
  document = (await app.anonymous.get('/docs/openapi.json')).body as typeof document;
});

const operation = (path: string, method = 'post'): Operation =>
  document.paths[`/api/v1/shown/${path}`]![method]!;
const exampleOf = (path: string, method = 'post'): unknown =>
  operation(path, method).requestBody?.content['application/json']?.example;

/** Every example of the document, with its schema. */
function* examples(): Generator<[where: string, media: Media]> {
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, { parameters = [], requestBody, responses }] of Object.entries(item)) {
      const where = `${method} ${path}`;
      for (const parameter of parameters) yield [`${where} ${parameter.name}`, parameter];
      const parts = Object.entries({ body: requestBody, ...responses });
      for (const [part, of] of parts)
        for (const media of Object.values(of?.content ?? {})) yield [`${where} ${part}`, media];
    }
}

describe('examples of the OpenAPI document', () => {
  it('are valid by their own schemas, whatever decorators declare them', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addFormat('idn-email', true);
    ajv.addSchema({ $id: 'document', components: document.components });
    const faults: string[] = [];
    let count = 0;
    for (const [where, { schema, example }] of examples()) {
      if (schema === undefined || example === undefined) continue;
      const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
      const validate = ajv.compile(JSON.parse(text) as object);
      count++;
      if (!validate(example))
        faults.push(`${where}: ${JSON.stringify(example)} ${ajv.errorsText(validate.errors)}`);
    }
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThan(200);
  });

  it('contain a value for each property of a DTO without examples', () => {
    expect(exampleOf('shapes')).toEqual({
      text: 'text',
      long: 'text-text-text-text-text-text-',
      short: 'te',
      uuid: expect.any(String) as string,
      email: 'ada@example.com',
      uri: 'https://example.com/',
      address: '192.0.2.1',
      date: '2026-11-20T09:30:00.000Z',
      lower: 'text',
      mood: 'calm',
      namedMood: 'calm',
      moods: ['calm'],
      tags: ['text'],
      three: ['text', 'text', 'text'],
      none: [],
      points: [{ x: 1, y: 10.5 }],
      point: { x: 1, y: 10.5 },
      tens: 10,
      below: -3,
      above: 6,
      share: 0.25,
      yes: true,
      prices: {},
      maybe: 'text',
      all: { x: 1, y: 10.5 },
    });
    expect(exampleOf('either')).toEqual({ shape: { kind: 'circle', r: 1 } });
    expect(exampleOf('named')).toEqual({ first_name: 'text' });
    expect(exampleOf('point', 'patch')).toEqual({ revision: 1 });
  });

  it('end if classes refer to themselves or to each other', () => {
    expect(exampleOf('folder')).toEqual({ name: 'text', children: [] });
    expect(exampleOf('novel')).toEqual({ title: 'text', writer: { name: 'text', novels: [] } });
  });

  it('are left out if no matching value is known', () => {
    expect([exampleOf('code'), exampleOf('code', 'patch'), exampleOf('endless')]).toEqual([]);
  });
});

describe('the documentation of path parameters', () => {
  it.each<[string, object]>([
    ['kinds/{kind}', { schema: { type: 'string', enum: ['a', 'b'] }, example: 'a' }],
    ['named/{mood}', { example: 'calm' }],
    ['pages/{page}', { schema: { type: 'number' }, example: 1 }],
    ['slugs/{slug}', { schema: { type: 'string' }, example: 'text' }],
    ['uuids/{id}', { description: 'The key of a thing.', example: '0197d3a0-7c1e-7b2a-9d4f-3b1c5e6f7a8b' }],
    ['words/{wordId}', { description: 'The id of the word.', example: 'text' }],
    ['numbers/{id}', { description: 'The id of the number.', example: 42 }],
    ['years/{year}', { schema: { type: 'integer', minimum: 1900 }, example: 1999 }],
    ['moods/{mood}/{year}', { schema: { type: 'string', enum: ['calm', 'wild'] }, example: 'calm' }],
  ])('matches the declaration of %s', (path, expected) => {
    const [parameter] = operation(path, 'get').parameters!;
    expect(parameter).toMatchObject(expected);
    if (!('description' in expected)) expect(parameter!.description).toBeUndefined();
  });

  it('keeps several examples of a parameter', () => {
    const [letter] = operation('letters/{letter}', 'get').parameters!;
    expect(letter).toMatchObject({ examples: { first: { value: 'a' } } });
    expect(letter!.example).toBeUndefined();
  });
});
