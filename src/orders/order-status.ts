/** The statuses that can follow each status of an order. No other file lists these transitions. */
const TRANSITIONS = {
  pending: ['paid', 'cancelled'],
  paid: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>;

export type OrderStatus = keyof typeof TRANSITIONS;

export const ORDER_STATUSES = Object.keys(TRANSITIONS) as readonly OrderStatus[];

/** The only status of an order in which its items can be changed. */
export const EDITABLE_STATUS: OrderStatus = 'pending';

export const DELETABLE_STATUSES: readonly OrderStatus[] = ['pending', 'cancelled'];

/** The only status that customers may give to their orders. */
export const CUSTOMER_TRANSITION: OrderStatus = 'cancelled';

export function allowedTransitions(from: OrderStatus): readonly OrderStatus[] {
  return TRANSITIONS[from];
}

/** Returns the statuses and their transitions as a Markdown table, for the documentation. */
export function statusTable(): string {
  const rows = ORDER_STATUSES.map((from) => {
    const moves = allowedTransitions(from).map(
      (to) => `\`${to}\` by ${to === CUSTOMER_TRANSITION ? 'the customer or staff' : 'staff'}`,
    );
    return `| \`${from}\` | ${moves.join('; ') || 'no other status'} | ${from === EDITABLE_STATUS ? 'yes' : 'no'} | ${DELETABLE_STATUSES.includes(from) ? 'yes' : 'no'} |`;
  });
  return [
    '| status | can change to | items can change | can be deleted |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
