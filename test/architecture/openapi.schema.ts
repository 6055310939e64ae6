/**
 * The rules of OpenAPI 3.1 for the parts of it that our documents use, as JSON Schema. Every object is closed: what
 * the specification does not name is a fault.
 */

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string', minLength: 1 };
const flag: Schema = { type: 'boolean' };
const count: Schema = { type: 'integer', minimum: 0 };
const any: Schema = {};
const to = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const orReference = (name: string): Schema => ({
  if: { type: 'object', required: ['$ref'] },
  then: to('reference'),
  else: to(name),
});

function closed(required: string[], properties: Record<string, Schema>): Schema {
  return { type: 'object', required, properties, additionalProperties: false };
}

const $defs: Record<string, Schema> = {
  type: { enum: ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] },
  reference: closed(['$ref'], { $ref: { type: 'string', pattern: '^#/components/\\w+/[A-Za-z0-9._-]+$' } }),
  schema: closed([], {
    type: { anyOf: [to('type'), { type: 'array', minItems: 2, uniqueItems: true, items: to('type') }] },
    format: text,
    pattern: { type: 'string', format: 'regex' },
    enum: { type: 'array', minItems: 2, uniqueItems: true },
    const: any,
    minLength: count,
    maxLength: count,
    minimum: { type: 'number' },
    maximum: { type: 'number' },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    minItems: count,
    maxItems: count,
    uniqueItems: flag,
    items: orReference('schema'),
    properties: mapOf(orReference('schema')),
    required: { ...listOf(text), minItems: 1, uniqueItems: true },
    additionalProperties: { anyOf: [flag, orReference('schema')] },
    allOf: listOf(orReference('schema')),
    anyOf: listOf(orReference('schema')),
    oneOf: listOf(orReference('schema')),
    readOnly: flag,
    default: any,
    examples: { type: 'array', minItems: 1 },
    description: text,
  }),
  example: closed(['value'], { summary: text, description: text, value: any }),
  mediaType: {
    ...closed(['schema'], {
      schema: orReference('schema'),
      example: any,
      examples: mapOf(orReference('example')),
    }),
    // They exclude each other.
    not: { required: ['example', 'examples'] },
  },
  content: { ...mapOf(to('mediaType')), minProperties: 1 },
  header: closed(['description', 'schema'], {
    description: text,
    schema: orReference('schema'),
    example: any,
  }),
  response: closed(['description'], {
    description: text,
    headers: mapOf(orReference('header')),
    content: to('content'),
  }),
  parameter: {
    ...closed(['name', 'in', 'description', 'schema'], {
      name: text,
      in: { enum: ['path', 'query', 'header', 'cookie'] },
      required: flag,
      description: text,
      schema: orReference('schema'),
      example: any,
      allowEmptyValue: flag,
      style: { const: 'form' },
      explode: { const: false },
    }),
    if: { properties: { in: { const: 'path' } } },
    then: { required: ['required'], properties: { required: { const: true } } },
  },
  operation: closed(['operationId', 'summary', 'tags', 'responses', 'security'], {
    operationId: { type: 'string', pattern: '^[a-z][A-Za-z0-9]*$' },
    summary: text,
    description: text,
    deprecated: flag,
    tags: { ...listOf(text), minItems: 1 },
    parameters: listOf(to('parameter')),
    requestBody: closed(['content', 'required'], {
      content: to('content'),
      required: flag,
      description: text,
    }),
    responses: {
      type: 'object',
      minProperties: 2,
      patternProperties: { '^([1-5]\\d\\d|default)$': orReference('response') },
      additionalProperties: false,
    },
    security: listOf(mapOf(listOf(text))),
    'x-access': closed(['permission'], { permission: text, staff: flag, own: flag, anonymous: flag }),
  }),
  securityScheme: {
    oneOf: [
      closed(['type', 'scheme'], {
        type: { const: 'http' },
        scheme: { enum: ['bearer', 'basic'] },
        bearerFormat: text,
        description: text,
      }),
      closed(['type', 'in', 'name'], {
        type: { const: 'apiKey' },
        in: { enum: ['header', 'cookie'] },
        name: text,
        description: text,
      }),
    ],
  },
};

const methods = ['get', 'post', 'put', 'patch', 'delete'].map((method) => [method, to('operation')] as const);

/** The whole document. */
export const OPENAPI_SCHEMA: Schema = {
  ...closed(['openapi', 'info', 'servers', 'tags', 'paths', 'components'], {
    openapi: { const: '3.1.0' },
    info: closed(['title', 'version', 'description', 'contact', 'license'], {
      title: text,
      version: text,
      description: text,
      contact: closed(['name'], { name: text }),
      license: closed(['name', 'identifier'], { name: text, identifier: text }),
    }),
    servers: { ...listOf(closed(['url'], { url: text, description: text })), minItems: 1 },
    tags: listOf(closed(['name', 'description'], { name: text, description: text })),
    paths: {
      type: 'object',
      minProperties: 1,
      patternProperties: { '^/': closed([], Object.fromEntries(methods)) },
      additionalProperties: false,
    },
    components: closed(['securitySchemes', 'schemas'], {
      securitySchemes: mapOf(to('securityScheme')),
      schemas: mapOf(to('schema')),
      headers: mapOf(to('header')),
      examples: mapOf(to('example')),
      responses: mapOf(to('response')),
    }),
  }),
  $defs,
};
