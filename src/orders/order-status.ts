/** The moves from each status of an order. No other file lists them. */
const TRANSITIONS = {
  pending: ['paid', 'cancelled'],
  paid: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>;

export type OrderStatus = keyof typeof TRANSITIONS;

export const ORDER_STATUSES = Object.keys(TRANSITIONS) as readonly OrderStatus[];

/** The only status in which items can be changed. */
export const EDITABLE_STATUS: OrderStatus = 'pending';

export const DELETABLE_STATUSES: readonly OrderStatus[] = ['pending', 'cancelled'];

/** The only move that customers may make themselves. */
export const CUSTOMER_TRANSITION: OrderStatus = 'cancelled';

export function allowedTransitions(from: OrderStatus): readonly OrderStatus[] {
  return TRANSITIONS[from];
}

/** The statuses and their moves as a Markdown table, for the documentation. */
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
