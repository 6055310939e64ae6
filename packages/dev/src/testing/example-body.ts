import { randomBytes, randomUUID } from 'node:crypto';

import { Schema } from '../openapi/type-text.js';

interface Document {
  readonly paths: Readonly<
    Record<string, { post?: { requestBody?: { content: Record<string, { schema: Schema }> } } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * Returns a valid body for a POST, made of the examples of its required fields in the OpenAPI document. Adds a unique
 * ending to each text, so that the body violates no unique constraint.
 *
 * @param path as in the document, with or without values of its parameters: `/api/v2/products`,
 *   `/api/v2/products/7/reviews`
 */
export async function exampleBody(baseUrl: string, path: string): Promise<object> {
  const document = (await (await fetch(`${baseUrl}/docs/openapi.json`)).json()) as Document;
  const { [path]: exact, ...others } = document.paths;
  const [, found] = Object.entries(others).find(([one]) => matches(one, path)) ?? [];
  const schema = (exact ?? found)?.post?.requestBody?.content['application/json']?.schema;
  if (!schema) throw new Error(`the document has no body for POST ${path}`);
  return exampleObject(resolveSchema(schema, document), document);
}

/** Whether a path is one of the document with values of its parameters. */
const matches = (declared: string, path: string): boolean =>
  new RegExp(`^${declared.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** Returns an object with the required members of a schema. */
const exampleObject = ({ required = [], properties = {} }: Schema, document: Document): object =>
  Object.fromEntries(
    required.map((name) => {
      const member = resolveSchema(properties[name] ?? {}, document);
      return [
        name,
        member.properties && !member.examples ? exampleObject(member, document) : createExample(member),
      ];
    }),
  );

function resolveSchema(schema: Schema, { components }: Document): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}

function createExample({
  type,
  format,
  enum: words,
  const: only,
  maxLength = 200,
  examples,
}: Schema): unknown {
  if (only !== undefined) return only;
  if (words) return words[0];
  const example = examples?.[0];
  if (type !== 'string') return example;
  const unique = randomBytes(4).toString('hex').slice(0, maxLength);
  if (format === 'uuid') return randomUUID();
  if (format === 'password') return `${unique}${unique}`;
  if (format?.endsWith('email')) return `${unique}@example.com`;
  if (format === 'uri') return `https://example.com/${unique}`;
  if (format !== undefined) return example;
  return `${String(example).slice(0, Math.max(0, maxLength - unique.length - 1))} ${unique}`.trim();
}
