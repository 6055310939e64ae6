import { ORDER_STATUSES, OrderStatus, allowedTransitions } from './order-status.js';

/** Every move that there is, as the contract lists them. */
const MOVES: readonly string[] = [
  'pending → paid',
  'paid → shipped',
  'shipped → delivered',
  'pending → cancelled',
  'paid → cancelled',
];

const pairs = ORDER_STATUSES.flatMap((from) =>
  ORDER_STATUSES.map((to): [OrderStatus, OrderStatus] => [from, to]),
);

test.each(pairs)('%s → %s', (from, to) => {
  const isMove = MOVES.includes(`${from} → ${to}`);
  expect(allowedTransitions(from).includes(to)).toBe(isMove);
});
