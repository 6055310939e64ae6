/** The statuses that can follow each status of a ticket. */
const TRANSITIONS = {
  open: ['waiting', 'solved'],
  waiting: ['open', 'solved'],
  solved: ['open'],
} as const satisfies Record<string, readonly string[]>;

export type TicketStatus = keyof typeof TRANSITIONS;

export const TICKET_STATUSES = Object.keys(TRANSITIONS) as readonly TicketStatus[];

export const allowedTransitions = (from: TicketStatus): readonly TicketStatus[] => TRANSITIONS[from];
