/** The parts of a schema that the surface shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
}

/**
 * Returns the type of a schema as text: `string(1..200) | null`, `("a" | "b")[](..5)`, `{ id!: integer(1..) }`. The
 * parentheses hold its limits: the format, the range of its length or value, a pattern in quotes, and `unique` for lists
 * without duplicates. A range includes both ends unless it has a `<`.
 */
export function typeText(schema: Schema): string {
  const { $ref, type, items, properties, required = [], anyOf, oneOf, enum: words } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (words) return words.map((word) => JSON.stringify(word)).join(' | ');
  if (properties) {
    const fields = Object.entries(properties).map(
      ([name, property]) => `${name}${required.includes(name) ? '!' : ''}: ${typeWithDefault(property)}`,
    );
    return `{ ${fields.join(', ')} }`;
  }
  const parts = anyOf ?? oneOf;
  if (parts) return parts.map(typeText).join(' | ');
  return [type ?? (items ? 'array' : 'any')]
    .flat()
    .map((one) => partText(one, schema))
    .join(' | ');
}

/** Returns the type and the default of a parameter or field: `boolean = true`. */
export const typeWithDefault = (schema: Schema): string => withDefault(typeText(schema), schema);

/** Finds the default in the description too, because the document states defaults of body fields only there. */
export function withDefault(type: string, { default: value, description = '' }: Schema): string {
  const [, told] = /Default: `(.+)`\.$/.exec(description) ?? [];
  const text = value === undefined ? told : JSON.stringify(value);
  return text === undefined ? type : `${type} = ${text}`;
}

function partText(type: string, schema: Schema): string {
  if (type === 'null') return type;
  const bounds = boundsText(type, schema);
  const text = type === 'array' && schema.items ? `${itemsText(schema.items)}[]` : type;
  return bounds.length > 0 ? `${text}(${bounds.join(', ')})` : text;
}

function itemsText(items: Schema): string {
  const text = typeText(items);
  return / \| (?![^{]*\})/.test(text) ? `(${text})` : text;
}

/** Formats that say how to display a value, not which values are valid. */
const HINTS = ['password'];

function boundsText(type: string, schema: Schema): string[] {
  const { format, pattern, minLength, maxLength, minItems, maxItems, uniqueItems } = schema;
  if (type === 'array')
    return [range(minItems || undefined, maxItems), uniqueItems ? 'unique' : ''].filter(Boolean);
  if (type === 'string') {
    const quoted = pattern === undefined ? '' : JSON.stringify(pattern);
    return [formatText(format), range(minLength || undefined, maxLength), quoted].filter(Boolean);
  }
  if (type !== 'integer' && type !== 'number') return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  // A schema may have inclusive and exclusive limits; then both apply.
  const exclusive = range(exclusiveMinimum, exclusiveMaximum, '<');
  return [formatText(format), range(minimum, maximum), exclusive].filter(Boolean);
}

const formatText = (format = ''): string => (HINTS.includes(format) ? '' : format);

function range(least: number | undefined, most: number | undefined, sign = ''): string {
  if (least === undefined && most === undefined) return '';
  return `${least === undefined ? '' : `${least}${sign}`}..${most === undefined ? '' : `${sign}${most}`}`;
}
