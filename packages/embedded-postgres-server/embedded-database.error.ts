/** The embedded PostgreSQL cannot be used. `message` is one line for the person at the terminal. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
}
