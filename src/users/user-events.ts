import { Connection } from '#src/database/connection.js';

/** The channel on which instances tell each other what they must no longer believe. */
export const EVENTS_CHANNEL = 'plinth';

/**
 * Tells every instance, when the transaction commits, that what was proved of a user holds no more: another
 * password or role, or no such user.
 *
 * @param on the transaction of the change
 */
export async function announceUser(id: number, on: Connection): Promise<void> {
  const payload = JSON.stringify({ topic: 'user', id });
  await on.query({ text: 'select pg_notify($1, $2)', values: [EVENTS_CHANNEL, payload] });
}
