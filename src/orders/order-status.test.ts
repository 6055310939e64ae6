import { ORDER_STATUSES, OrderStatus, allowedTransitions } from './order-status.js';

/** All transitions that the API allows. */
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

test.each(pairs)('decides whether an order may move from %s to %s', (from, to) => {
  const isMove = MOVES.includes(`${from} → ${to}`);
  expect(allowedTransitions(from).includes(to)).toBe(isMove);
});
