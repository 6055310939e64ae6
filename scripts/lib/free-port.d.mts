/** A port of 127.0.0.1 that nobody listens on, and that this process gives out once. */
export function freePort(): Promise<number>;
