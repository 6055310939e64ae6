/** Returns a port of 127.0.0.1 on which nothing listens. Returns each port only once in this process. */
export function freePort(): Promise<number>;
