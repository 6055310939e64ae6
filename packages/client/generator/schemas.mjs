import { comment, property } from './words.mjs';

/** Translates the schemas of a document (OpenAPI 3.0 and 3.1) to TypeScript. Collects schemas that are referred to. */
export class Schemas {
  #document;
  #names = new Set();

  constructor(document) {
    this.#document = document;
  }

  /** Resolves a reference. Returns any other value unchanged. */
  resolve(value) {
    let found = value;
    while (found?.$ref !== undefined) {
      const path = found.$ref.replace(/^#\//, '').split('/');
      found = path.reduce((at, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], this.#document);
      if (found === undefined) throw new Error(`the document has no ${value.$ref}`);
    }
    return found;
  }

  /** Returns the type of a schema. */
  typeOf(schema) {
    if (schema === undefined || schema === true || Object.keys(schema).length === 0) return 'unknown';
    if (schema.$ref !== undefined) return this.#nameOf(schema.$ref);
    const type = this.#typeWithoutNull(schema);
    return schema.nullable && type !== 'null' ? `${wrapped(type)} | null` : type;
  }

  #typeWithoutNull(schema) {
    if ('const' in schema) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((key) => {
      // Parts that only add constraints, such as "exactly one of", have no type.
      const types = (schema[key] ?? []).filter(hasType).map((part) => wrapped(this.typeOf(part)));
      return types.length === 0 ? [] : [[...new Set(types)].join(key === 'allOf' ? ' & ' : ' | ')];
    });
    if (schema.type !== undefined || schema.properties || parts.length === 0)
      parts.unshift(this.#plainType(schema));
    return parts.length === 1 ? parts[0] : parts.map(wrapped).join(' & ');
  }

  #plainType(schema) {
    if (Array.isArray(schema.type)) {
      return schema.type.map((type) => wrapped(this.#plainType({ ...schema, type }))).join(' | ');
    }
    switch (schema.type ?? (schema.properties ? 'object' : undefined)) {
      case 'string':
        return schema.format === 'binary' ? 'Blob' : 'string';
      case 'integer':
      case 'number':
        return 'number';
      case 'boolean':
        return 'boolean';
      case 'null':
        return 'null';
      case 'array':
        return `${wrapped(this.typeOf(schema.items))}[]`;
      case 'object':
        return this.#objectType(schema);
      default:
        return 'unknown';
    }
  }

  #objectType({ properties, additionalProperties }) {
    if (properties) return `{\n${this.#members(arguments[0])}}`;
    const values = typeof additionalProperties === 'object' ? this.typeOf(additionalProperties) : 'unknown';
    return `Record<string, ${values}>`;
  }

  #members({ properties, required = [] }) {
    return Object.entries(properties)
      .map(([name, schema]) => {
        const optional = required.includes(name) ? '' : '?';
        return `${comment(remarks(this.resolve(schema)), '  ')}  ${property(name)}${optional}: ${this.typeOf(schema)};\n`;
      })
      .join('');
  }

  #nameOf(reference) {
    const name = reference.split('/').at(-1);
    this.#names.add(name);
    return typeName(name);
  }

  /** Returns the names that were referred to, also within their declarations, and the declarations. */
  declarations() {
    const texts = new Map();
    for (const name of this.#names) texts.set(typeName(name), this.#declaration(name));
    const names = [...texts.keys()].sort();
    return { names, text: names.map((name) => texts.get(name)).join('\n') };
  }

  #declaration(name) {
    const schema = this.#document.components.schemas[name];
    const about = comment([schema.description]);
    const isPlain =
      schema.properties && !['allOf', 'oneOf', 'anyOf'].some((key) => schema[key]?.some(hasType));
    if (isPlain && !schema.nullable)
      return `${about}export interface ${typeName(name)} {\n${this.#members(schema)}}\n`;
    return `${about}export type ${typeName(name)} = ${this.typeOf(schema)};\n`;
  }
}

/** The names that the client itself exports, and the globals that its types use. */
const TAKEN = new Set(
  (
    'Api ApiError ApiErrorOf Auth Blob Change Client ClientOptions ConnectionError Core CreateOptions Credentials ' +
    'CursorPage CustomRequest DefinedClient Edit ErrorCode ErrorDetail ErrorOf ErrorStatus FormData Headers List ListQuery ' +
    'LoginResponse OffsetPage Operation OperationErrors Operations Pages Promise Query ReadableStream Record ' +
    'RequestOptions Result Shown TimeoutError TransportOptions Uint8Array Version WriteOptions'
  ).split(' '),
);

/** Returns the type name of a schema. */
const typeName = (name) => (TAKEN.has(name) ? `${name}Data` : name);

const hasType = (schema) =>
  ['$ref', 'type', 'properties', 'const', 'enum', 'allOf', 'oneOf', 'anyOf'].some((key) => key in schema);

/** Adds parentheses to a union or intersection that becomes a part of another type. */
export function wrapped(type) {
  let outside = type.replaceAll(/"(?:[^"\\]|\\.)*"|\/\*[^]*?\*\//g, '');
  for (let before = ''; before !== outside;) {
    before = outside;
    outside = outside.replaceAll(/\{[^{}]*\}|\([^()]*\)/g, '');
  }
  return / [|&] /.test(outside) ? `(${type})` : type;
}

/** Returns the doc comment of a field: its description and its limits. */
function remarks({ description, readOnly, format, ...schema }) {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, default: by } = schema;
  const limits = [
    range(minLength, maxLength, ' characters'),
    range(minimum, maximum, ''),
    range(minItems, maxItems, ' items'),
    by === undefined ? undefined : `default: \`${JSON.stringify(by)}\``,
  ];
  const parts = [format === 'date-time' ? 'ISO 8601, UTC' : undefined, ...(readOnly ? [] : limits)].filter(
    (part) => part,
  );
  const text = parts.join('; ');
  return [description, text === '' ? undefined : `${text[0].toUpperCase()}${text.slice(1)}.`];
}

/** Returns a range such as `1 to 200 characters`, or nothing if it is trivial. */
function range(from, to, unit) {
  const isOpen = to === undefined || to >= 2 ** 31 - 1;
  if (isOpen) return from === undefined || from <= 1 ? undefined : `at least ${from}${unit}`;
  return from === undefined ? `at most ${to}${unit}` : `${from} to ${to}${unit}`;
}
