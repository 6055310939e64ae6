import { SchemaObject } from './openapi-types.js';

const CODE: SchemaObject = { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$', example: 'PRODUCT_NOT_FOUND' };
const MESSAGE: SchemaObject = { type: 'string', description: 'For people; may change.' };
const STATUS: SchemaObject = { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' };

const envelope = (properties: Record<string, SchemaObject>): SchemaObject => ({
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'status', ...Object.keys(properties)],
      additionalProperties: false,
      properties: { code: CODE, message: MESSAGE, status: STATUS, ...properties },
    },
  },
});

const DETAIL: SchemaObject = {
  type: 'object',
  required: ['field', 'code', 'message'],
  additionalProperties: false,
  properties: {
    field: {
      type: 'string',
      description: 'A dotted path into the body, or a parameter.',
      example: 'items.0.quantity',
    },
    code: { type: 'string', example: 'TOO_SMALL' },
    message: MESSAGE,
  },
};

/** The envelope of every error, without and with details. */
export const ERROR_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  Error: envelope({}),
  ErrorWithDetails: envelope({ details: { type: 'array', items: DETAIL } }),
};
