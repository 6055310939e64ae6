import { SchemaObject } from './openapi.js';

const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  'date-time': '2026-11-20T09:30:00.000Z',
  date: '2026-11-20',
  time: '09:30:00Z',
  duration: 'PT90M',
  email: 'ada@example.com',
  'idn-email': 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '0197d3a0-7c1e-7b2a-9d4f-3b1c5e6f7a8b',
  byte: 'dGV4dA==',
};

/** Returns a text that is valid for a schema, or `undefined` if no valid text is known, as for most patterns. */
export function textFor({
  format = '',
  minLength = 0,
  maxLength,
  pattern,
}: SchemaObject): string | undefined {
  const text = FORMAT_EXAMPLES[format] ?? 'text'.padEnd(minLength, '-text').slice(0, maxLength);
  const hasWrongLength = text.length < minLength || text.length > (maxLength ?? Infinity);
  return hasWrongLength || !matches(text, pattern) ? undefined : text;
}

function matches(text: string, pattern = ''): boolean {
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return false;
  }
}

/** Returns a number that is valid for a schema, 1 if possible, or `undefined` if no valid number is known. */
export function numberFor(schema: SchemaObject, isInteger: boolean): number | undefined {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const above = Number(exclusiveMinimum ?? -Infinity);
  const below = Number(exclusiveMaximum ?? Infinity);
  const step = multipleOf ?? (isInteger ? 1 : undefined);
  const [low, high] = [Math.max(minimum, above), Math.min(maximum, below)];
  const nearby = [1, 0, low, high, low + (step ?? 1), high - (step ?? 1), (low + high) / 2];
  const candidates = step
    ? nearby.flatMap((one) => [Math.ceil(one / step) * step, Math.floor(one / step) * step])
    : nearby;
  return candidates.find(
    (one) => Number.isFinite(one) && one >= minimum && one <= maximum && one > above && one < below,
  );
}
