export type Direction = 'asc' | 'desc';

/** One property that rows are sorted by. How its type is compared, and where nulls go, the statement knows. */
export interface SortTerm {
  readonly property: string;
  readonly direction: Direction;
}

/** The fault of a sort, as the second half of a sentence that starts with the parameter's name. */
export class SortFault {
  constructor(readonly message: string) {}
}

/**
 * Reads `<field>:<asc|desc>,…`; earlier fields go first. `id` is added as the last term, in the direction of the
 * term before it, so that one index serves both directions and no two rows are equal.
 *
 * @param sorts the fields there are
 */
export function parseSort(text: string, sorts: readonly string[]): readonly SortTerm[] | SortFault {
  const terms: SortTerm[] = [];
  for (const part of text.split(',')) {
    const [field = '', direction, ...rest] = part.split(':');
    if (!sorts.includes(field)) {
      return new SortFault(`got ${quoted(field)}, takes the fields ${sorts.join(', ')}`);
    }
    if ((direction !== 'asc' && direction !== 'desc') || rest.length > 0) {
      return new SortFault(`got ${quoted(part)}, takes ${field}:asc or ${field}:desc`);
    }
    if (terms.some(({ property }) => property === field))
      return new SortFault(`names ${field} twice, takes each field once`);
    terms.push({ property: field, direction });
  }
  const last = terms.at(-1) as SortTerm;
  return [...terms, { property: 'id', direction: last.direction }];
}

/**
 * The regular expression of a sort by some of these fields. It accepts a field that is named twice, which only
 * {@link parseSort} refuses: JSON Schema advises against look-ahead, which that takes.
 */
export function sortPattern(sorts: readonly string[]): string {
  const term = `(?:${sorts.join('|')}):(?:asc|desc)`;
  return sorts.length > 1 ? `^${term}(?:,${term}){0,${sorts.length - 1}}$` : `^${term}$`;
}

/** The one way of writing a sort, whatever it was read from. */
export function formatSort(terms: readonly SortTerm[]): string {
  return terms.map(({ property, direction }) => `${property}:${direction}`).join(',');
}

const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
