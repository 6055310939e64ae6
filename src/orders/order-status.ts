/** The moves from each status of an order: the one table of them. */
const NEXT = {
  pending: ['paid', 'cancelled'],
  paid: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>;

export type OrderStatus = keyof typeof NEXT;

export const ORDER_STATUSES = Object.keys(NEXT) as readonly OrderStatus[];

/** The only status in which items change. */
export const EDITABLE: OrderStatus = 'pending';

export const DELETABLE: readonly OrderStatus[] = ['pending', 'cancelled'];

/** The one move that customers make themselves. */
export const CUSTOMERS_MOVE: OrderStatus = 'cancelled';

export function statusesAfter(from: OrderStatus): readonly OrderStatus[] {
  return NEXT[from];
}

/** The statuses and their moves as a table of Markdown, for the documentation. */
export function statusTable(): string {
  const rows = ORDER_STATUSES.map((from) => {
    const moves = statusesAfter(from).map(
      (to) => `\`${to}\` by ${to === CUSTOMERS_MOVE ? 'the customer or the staff' : 'the staff'}`,
    );
    return `| \`${from}\` | ${moves.join('; ') || 'nothing: it is final'} | ${from === EDITABLE ? 'yes' : 'no'} | ${DELETABLE.includes(from) ? 'yes' : 'no'} |`;
  });
  return [
    '| status | moves to | items can change | can be deleted |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
