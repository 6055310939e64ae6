import type { FieldSpec } from './resource-spec.js';

/** A value of a field in generated tests and examples. */
export type SampleValue =
  | string
  | number
  | boolean
  | readonly SampleValue[]
  | { readonly [member: string]: SampleValue };

/** A field type of the generator: how the field is declared, and values for tests. */
export interface GeneratedFieldType {
  /** The decorator of `@plinth/core`. */
  readonly decorator: string;
  /** The options of the decorator that are specific to the type, as TypeScript. */
  readonly options: readonly string[];
  /** The type of the property in TypeScript. For JSON, this is the name of the class of its members. */
  readonly type: string;
  readonly max?: number;
  /** Returns a valid value. Another `n` gives another value. */
  readonly sample: (n: number) => SampleValue;
  /**
   * An invalid value of the right type, the code of its fault, and the path from the field to the fault. Omitted if all
   * values of the type are valid.
   */
  readonly refused?: readonly [value: SampleValue, code: string, path?: string];
  readonly isSortable: boolean;
  /** For JSON, its members. */
  readonly members?: readonly FieldSpec[];
  /** For a reference, the path of the resource. */
  readonly refersTo?: string;
}

/** The notation of a type on the command line. */
interface Notation {
  readonly example: string;
  /** Matches the parameters, which are in parentheses. */
  readonly form: RegExp;
  readonly make: (...parameters: string[]) => GeneratedFieldType;
}

const day = (n: number): string => `2026-01-${String(1 + (n % 28)).padStart(2, '0')}`;

const simple = (
  decorator: string,
  sample: GeneratedFieldType['sample'],
  refused: GeneratedFieldType['refused'],
  isSortable = false,
): Notation => {
  const made = {
    decorator,
    options: [],
    type: typeof sample(1),
    sample,
    ...(refused ? { refused } : {}),
    isSortable,
  };
  return { example: '', form: /^$/, make: () => made };
};

const FIELD_TYPES = new Map<string, Notation>([
  [
    'text',
    {
      example: '(200)',
      form: /^([1-9]\d{0,4})$/,
      make: (length) => {
        const max = Number(length);
        return {
          decorator: 'Text',
          options: [`max: ${max}`],
          type: 'string',
          max,
          sample: (n) => (max < 6 ? String(n) : `text ${n}`),
          refused: ['x'.repeat(max + 1), 'TOO_LONG'],
          isSortable: max <= 500,
        };
      },
    },
  ],
  [
    'integer',
    {
      example: '(1..5)',
      form: /^(?:(-?\d{1,9})\.\.(-?\d{1,9}))?$/,
      make: (from = '0', to = '2147483647') => {
        const [min, max] = [Number(from), Number(to)];
        return {
          decorator: 'Integer',
          options: max === 2_147_483_647 ? [] : [`min: ${min}`, `max: ${max}`],
          type: 'number',
          sample: (n) => min + (n % (Math.min(max - min, 1000) + 1)),
          refused: [min - 1, 'TOO_SMALL'],
          isSortable: true,
        };
      },
    },
  ],
  [
    'decimal',
    {
      example: '(8,2)',
      form: /^([1-9]|1[0-5]),(\d)$/,
      make: (digits, decimals) => {
        const [precision, scale] = [Number(digits), Number(decimals)];
        const largest = 10 ** (precision - scale);
        return {
          decorator: 'Decimal',
          options: [`precision: ${precision}`, `scale: ${scale}`],
          type: 'number',
          sample: (n) => (precision > scale ? n % Math.min(largest, 1000) : n % 2 === 0 ? 0 : 10 ** -scale),
          refused: [largest, 'TOO_LARGE'],
          isSortable: true,
        };
      },
    },
  ],
  [
    'choice',
    {
      example: '(new|used)',
      form: /^([a-z][a-z0-9_-]*(?:\|[a-z][a-z0-9_-]*)+)$/,
      make: (list = '') => {
        const words = list.split('|');
        return {
          decorator: 'Choice',
          options: [`of: [${words.map((word) => `'${word}'`).join(', ')}]`],
          type: 'string',
          sample: (n) => words[n % words.length] ?? '',
          refused: [`not-${words[0] ?? ''}`, 'NOT_ALLOWED'],
          isSortable: true,
        };
      },
    },
  ],
  [
    'reference',
    {
      example: '(products)',
      form: /^([a-z][a-z0-9-]*)$/,
      make: (refersTo) => ({
        ...{ decorator: 'Id', options: [], type: 'number', isSortable: false, refersTo },
        sample: (n) => n,
        refused: [Number.MAX_SAFE_INTEGER, 'NOT_ALLOWED'],
      }),
    },
  ],
  ['money', simple('Money', (n) => n + 0.5, [-1, 'TOO_SMALL'], true)],
  ['boolean', simple('Flag', (n) => n % 2 === 1, undefined)],
  ['date', simple('DateOnly', day, ['2026-02-30', 'BAD_FORMAT'], true)],
  ['timestamp', simple('Timestamp', (n) => `${day(n)}T09:30:00.000Z`, ['yesterday', 'BAD_FORMAT'], true)],
  ['email', simple('Email', (n) => `ada${n}@example.com`, ['ada', 'BAD_FORMAT'])],
  ['url', simple('Url', (n) => `https://example.com/${n}`, ['example', 'BAD_FORMAT'])],
]);

export const JSON_EXAMPLE = 'json(city:text(100),zip:text(10)?)';

export const TYPE_EXAMPLES = [
  ...[...FIELD_TYPES].map(([name, { example }]) => name + example),
  'text(40)[]',
  'choice(new|used)[]',
  JSON_EXAMPLE,
].join(', ');

/** The items that an array may have, unless the field says otherwise. */
const DEFAULT_MAX_ITEMS = 20;

/**
 * Returns the type of an array whose items have a type. It refuses one item that is too long or unknown.
 * @param maxItems as written, or `''`
 */
export function arrayOf(items: GeneratedFieldType, maxItems: string): GeneratedFieldType {
  const { decorator, options, sample, refused } = items;
  if (!['Text', 'Choice'].includes(decorator)) throw new Error('only text and choice can be an array');
  // An array of words is bounded by its words.
  const most = maxItems || (decorator === 'Text' ? DEFAULT_MAX_ITEMS : '');
  return {
    decorator: `${decorator}Array`,
    options: [...(most === '' ? [] : [`maxItems: ${most}`]), ...options],
    type: 'string[]',
    sample: (n) => [sample(n)],
    ...(refused && { refused: [[refused[0]], refused[1], '.0'] }),
    isSortable: false,
  };
}

/** Returns the type of JSON with some members. It refuses the first member that can be refused. */
export function jsonOf(members: readonly FieldSpec[], className: string): GeneratedFieldType {
  const sample = (n: number): Readonly<Record<string, SampleValue>> =>
    Object.fromEntries(members.map(({ name, type }) => [name, type.sample(n)]));
  const wrong = members.find(({ type }) => type.refused);
  const [value = '', code = '', path = ''] = wrong?.type.refused ?? [];
  return {
    decorator: 'Json',
    options: [`type: ${className}`],
    type: className,
    sample,
    ...(wrong && { refused: [{ ...sample(1), [wrong.name]: value }, code, `.${wrong.name}${path}`] }),
    isSortable: false,
    members,
  };
}

/** Reads a type such as `text(200)`. @throws Error for an unknown type or wrong parameters */
export function parseFieldType(name: string, parameters = ''): GeneratedFieldType {
  const notation = FIELD_TYPES.get(name);
  if (!notation) throw new Error(`unknown type ${name}; the types are ${TYPE_EXAMPLES}`);
  const match = notation.form.exec(parameters);
  if (!match) throw new Error(`the type must be written like ${name}${notation.example}`);
  return notation.make(...match.slice(1));
}
