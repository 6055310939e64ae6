const json = (schema) => ({ content: { 'application/json': { schema } } });
const reference = (name) => ({ $ref: `#/components/schemas/${name}` });
const idOf = (name) => ({ name, in: 'path', required: true, schema: { type: 'integer' } });
const page = (pagination) => ({
  type: 'object',
  properties: { data: { type: 'array', items: reference('Brand') }, pagination: reference(pagination) },
});
const errorOf = (code, status) => ({
  type: 'object',
  properties: {
    error: { type: 'object', properties: { code: { const: code }, status: { const: status } } },
  },
});

const list = {
  tags: ['Shop brands'],
  summary: 'List brands',
  parameters: [
    { name: 'kind', in: 'query', schema: { type: 'string', enum: ['new', 'used'] } },
    { name: 'founded-after', in: 'query', schema: { type: 'string', format: 'date' } },
    {
      name: 'sort',
      in: 'query',
      schema: { type: 'array', items: { type: 'string', enum: ['name:asc', 'name:desc'] } },
    },
    { name: 'page', in: 'query', schema: { type: 'integer' } },
    { name: 'cursor', in: 'query', schema: { type: 'string' } },
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
  ],
  responses: {
    200: json({ oneOf: [page('OffsetPagination'), page('CursorPagination')] }),
    default: json({ anyOf: [reference('CommonError')] }),
  },
};

/** The same list of another place, whose sort is one regular expression. */
const nestedList = {
  ...list,
  parameters: list.parameters.map((parameter) =>
    parameter.name === 'sort'
      ? {
          ...parameter,
          schema: {
            type: 'string',
            pattern: '^(?:name|kind):(?:asc|desc)(?:,(?:name|kind):(?:asc|desc)){0,1}$',
          },
        }
      : parameter,
  ),
};

/** A document as a team's module would leave it: every kind of operation that the generator tells apart. */
export const document = {
  openapi: '3.1.0',
  paths: {
    '/api/v1/login': {
      post: { tags: ['Authentication'], responses: { 200: json({ type: 'object', properties: {} }) } },
    },
    '/api/v1/shop-brands': {
      get: list,
      post: {
        tags: ['Shop brands'],
        parameters: [{ name: 'Idempotency-Key', in: 'header' }],
        requestBody: { required: true, ...json(reference('CreateBrand')) },
        responses: { 201: json(reference('Brand')), 409: json(reference('BrandExistsError')) },
      },
    },
    '/api/v1/shop-brands/{id}': {
      parameters: [idOf('id')],
      get: { tags: ['Shop brands'], responses: { 200: json(reference('Brand')) } },
      patch: {
        tags: ['Shop brands'],
        parameters: [{ name: 'If-Match', in: 'header' }],
        requestBody: { required: true, ...json(reference('PatchBrand')) },
        responses: { 200: json(reference('Brand')), 412: json(errorOf('PRECONDITION_FAILED', 412)) },
      },
    },
    '/api/v1/shop-brands/{id}/close': {
      post: {
        tags: ['Shop brands'],
        parameters: [idOf('id')],
        requestBody: json({ type: 'object', properties: { reason: { type: 'string' } } }),
        responses: { 200: json(reference('Result')) },
      },
    },
    '/api/v1/shop-brands/{id}/logo': {
      get: { tags: ['Shop brands'], responses: { 200: { content: { 'image/png': {} } } } },
      put: {
        tags: ['Shop brands'],
        requestBody: { required: true, content: { 'multipart/form-data': { schema: {} } } },
        responses: { 204: {} },
      },
    },
    '/api/v1/shop-brands/export.csv': {
      get: {
        tags: ['Shop brands'],
        parameters: [{ name: 'year', in: 'query', required: true, schema: { type: 'integer' } }],
        responses: { 200: { content: { 'text/csv': {} } } },
      },
    },
    '/api/v1/countries/{id}/shop-brands': { get: nestedList },
  },
  components: {
    schemas: {
      Brand: {
        type: 'object',
        required: ['id', 'name', 'kind', 'site'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', maxLength: 200 },
          kind: { type: 'string', enum: ['new', 'used'] },
          site: { type: ['string', 'null'], format: 'uri' },
          tags: { type: 'array', items: { type: ['string', 'number'] } },
          'x-rank': { type: 'object', additionalProperties: { type: 'integer' } },
        },
      },
      CreateBrand: {
        allOf: [
          { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          { type: 'object', properties: { userId: { type: 'integer' }, apiKeyId: { type: 'integer' } } },
        ],
        oneOf: [{ required: ['userId'] }, { required: ['apiKeyId'] }],
      },
      PatchBrand: {
        type: 'object',
        properties: { name: { type: 'string' }, site: { type: ['string', 'null'] } },
      },
      // A name that the client itself has.
      Result: { type: 'object', required: ['closed'], properties: { closed: { const: true } } },
      BrandExistsError: errorOf('BRAND_EXISTS', 409),
      CommonError: { oneOf: [errorOf('RATE_LIMIT_EXCEEDED', 429), errorOf('PRECONDITION_FAILED', 412)] },
      OffsetPagination: { type: 'object', properties: { total: { type: 'integer' } } },
      CursorPagination: { type: 'object', properties: { hasMore: { type: 'boolean' } } },
    },
  },
};
