/** The part of JSON Schema (as OpenAPI 3.0 writes it) that fields are described in. */
export interface JsonSchema {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: readonly (string | number | null)[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  nullable?: boolean;
  default?: unknown;
  example?: unknown;
  description?: string;
  readOnly?: boolean;
}
