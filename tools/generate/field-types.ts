/** One type of field that the generator knows: how it is declared, and values for tests. */
export interface FieldType {
  /** The decorator of `src/core/fields/`. */
  readonly decorator: string;
  /** The options of the decorator that are specific to the type, as TypeScript. */
  readonly options: readonly string[];
  readonly type: 'string' | 'number' | 'boolean';
  /** A value as JSON, and as TypeScript; `n` tells the values of one field apart. */
  readonly sample: (n: number) => string | number | boolean;
  /** A value of the right type that the field does not take, with its fault; left out: it takes all. */
  readonly refused?: readonly [value: string | number, code: string];
  readonly isSortable: boolean;
}

/** The form of an argument list, and the type it makes. */
interface Constructor {
  readonly form: RegExp;
  /** As a message shows it. */
  readonly example: string;
  readonly make: (match: RegExpExecArray) => FieldType | string;
}

const MAX_TEXT = 100_000;

const day = (n: number): string => `2026-01-${String(1 + (n % 28)).padStart(2, '0')}`;

const constructors: Readonly<Record<string, Constructor>> = {
  text: {
    form: /^(\d{1,6})$/,
    example: 'text(200)',
    make: ([, length]) => {
      const max = Number(length);
      if (max < 1 || max > MAX_TEXT) return `takes a length from 1 to ${MAX_TEXT}`;
      return {
        decorator: 'Text',
        options: [`max: ${max}`],
        type: 'string',
        sample: (n) => (max < 6 ? String(n) : `text ${n}`),
        refused: ['x'.repeat(max + 1), 'TOO_LONG'],
        isSortable: max <= 500,
      };
    },
  },
  integer: {
    form: /^(?:(-?\d{1,10})\.\.(-?\d{1,10}))?$/,
    example: 'integer or integer(1..5)',
    make: ([, from, to]) => {
      const [min, max] = [Number(from ?? 0), Number(to ?? 2_147_483_647)];
      if (min >= max || max > 2_147_483_647 || min < -2_147_483_648) return 'takes a range such as 1..5';
      return {
        decorator: 'Integer',
        options: from === undefined ? [] : [`min: ${min}`, `max: ${max}`],
        type: 'number',
        sample: (n) => min + (n % (Math.min(max - min, 1000) + 1)),
        refused: [min - 1, 'TOO_SMALL'],
        isSortable: true,
      };
    },
  },
  decimal: {
    form: /^(\d{1,2}),(\d{1,2})$/,
    example: 'decimal(8,2)',
    make: ([, digits, decimals]) => {
      const [precision, scale] = [Number(digits), Number(decimals)];
      if (precision < 1 || precision > 15 || scale > precision)
        return 'takes at most 15 digits, and no more decimals than that';
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
  choice: {
    form: /^([a-z][a-z0-9_-]*(?:\|[a-z][a-z0-9_-]*)+)$/,
    example: 'choice(new|used)',
    make: ([, list = '']) => {
      const words = list.split('|');
      if (new Set(words).size < words.length) return 'has a word twice';
      return {
        decorator: 'Choice',
        options: [`of: [${words.map((word) => `'${word}'`).join(', ')}]`],
        type: 'string',
        sample: (n) => words[n % words.length] as string,
        refused: [`not-${words[0] ?? ''}`, 'NOT_ALLOWED'],
        isSortable: true,
      };
    },
  },
};

/** Types that take nothing in parentheses. */
const SIMPLE: Readonly<Record<string, FieldType>> = {
  money: {
    decorator: 'Money',
    options: [],
    type: 'number',
    sample: (n) => n + 0.5,
    refused: [-1, 'TOO_SMALL'],
    isSortable: true,
  },
  boolean: { decorator: 'Flag', options: [], type: 'boolean', sample: (n) => n % 2 === 1, isSortable: false },
  date: {
    decorator: 'DateOnly',
    options: [],
    type: 'string',
    sample: day,
    refused: ['2026-02-30', 'BAD_FORMAT'],
    isSortable: true,
  },
  timestamp: {
    decorator: 'Timestamp',
    options: [],
    type: 'string',
    sample: (n) => `${day(n)}T09:30:00.000Z`,
    refused: ['yesterday', 'BAD_FORMAT'],
    isSortable: true,
  },
  email: {
    decorator: 'Email',
    options: [],
    type: 'string',
    sample: (n) => `ada${n}@example.com`,
    refused: ['ada', 'BAD_FORMAT'],
    isSortable: false,
  },
  url: {
    decorator: 'Url',
    options: [],
    type: 'string',
    sample: (n) => `https://example.com/${n}`,
    refused: ['example', 'BAD_FORMAT'],
    isSortable: false,
  },
  uuid: {
    decorator: 'Uuid',
    options: [],
    type: 'string',
    sample: (n) => `0197d3a0-7c1e-7b2a-9d4f-${String(n).padStart(12, '0')}`,
    refused: ['1', 'BAD_FORMAT'],
    isSortable: false,
  },
};

/** The types as help shows them. */
export const TYPES = [
  ...Object.values(constructors).map(({ example }) => example),
  ...Object.keys(SIMPLE),
] as const;

/** Reads a type such as `text(200)`. @returns a text that says what is wrong with it, where something is */
export function fieldTypeOf(name: string, parameters: string | undefined): FieldType | string {
  const simple = Object.hasOwn(SIMPLE, name) ? SIMPLE[name] : undefined;
  if (simple) return parameters === undefined ? simple : `${name} takes nothing in parentheses`;
  const found = Object.hasOwn(constructors, name) ? constructors[name] : undefined;
  if (!found) return `there is no type ${name}; the types are ${TYPES.join(', ')}`;
  const match = found.form.exec(parameters ?? '');
  if (!match) return `takes ${found.example}`;
  const made = found.make(match);
  return typeof made === 'string' ? `${name} ${made}` : made;
}
