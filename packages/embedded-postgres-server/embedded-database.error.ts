/**
 * The embedded PostgreSQL cannot be used. `message` is one line for the person at the terminal: what is wrong,
 * where, and what to do about it. Print it without a stack.
 */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
}
