/** A field that a list can be sorted by. */
export interface Sort {
  /** The property of the row; the field's own name where it is left out. */
  readonly property?: string;
  /** What its values are: decides how a cursor carries them. */
  readonly type: 'number' | 'text' | 'timestamp';
  /** Rows may lack it; they come last in both directions. Not for text, which has no largest value. */
  readonly isNullable?: boolean;
}

export type Direction = 'asc' | 'desc';

export interface SortTerm extends Sort {
  readonly property: string;
  readonly direction: Direction;
}

/** What is wrong with a sort, as the second half of a sentence that starts with the parameter's name. */
export class SortFault {
  constructor(readonly message: string) {}
}

/**
 * Reads `<field>:<asc|desc>,…`; earlier fields go first. `id` is added as the last term, in the direction of the
 * term before it, so that one index serves both directions and no two rows are equal.
 *
 * @param sorts the fields there are
 */
export function parseSort(
  text: string,
  sorts: Readonly<Record<string, Sort>>,
): readonly SortTerm[] | SortFault {
  const terms: SortTerm[] = [];
  const seen = new Set<string>();
  for (const part of text.split(',')) {
    const [field = '', direction, ...rest] = part.split(':');
    if (!Object.hasOwn(sorts, field)) {
      return new SortFault(`got ${quoted(field)}, takes the fields ${Object.keys(sorts).join(', ')}`);
    }
    if ((direction !== 'asc' && direction !== 'desc') || rest.length > 0) {
      return new SortFault(`got ${quoted(part)}, takes ${field}:asc or ${field}:desc`);
    }
    if (seen.has(field)) return new SortFault(`names ${field} twice, takes each field once`);
    seen.add(field);
    const sort = sorts[field] as Sort;
    terms.push({ ...sort, property: sort.property ?? field, direction });
  }
  const last = terms.at(-1) as SortTerm;
  return [...terms, { property: 'id', type: 'number', direction: last.direction }];
}

/** The one way of writing a sort, whatever it was read from. */
export function formatSort(terms: readonly SortTerm[]): string {
  return terms.map(({ property, direction }) => `${property}:${direction}`).join(',');
}

const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
