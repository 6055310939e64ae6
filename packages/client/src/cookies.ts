/**
 * Stores the cookies of one server, for runtimes that do not store cookies themselves. It stays empty in browsers, which
 * store cookies and hide `Set-Cookie` from scripts.
 */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** Stores the cookies that a response sets, and removes those that it clears (RFC 6265 §5.2). */
  read(headers: Headers): void {
    const lines = (headers as { getSetCookie?: () => string[] }).getSetCookie?.() ?? [];
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';');
      const at = pair.indexOf('=');
      const name = pair.slice(0, at).trim();
      if (attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute)))
        this.#cookies.delete(name);
      else this.#cookies.set(name, pair.slice(at + 1).trim());
    }
  }

  /** Returns the value of the `Cookie` header, which is empty if there are no cookies. */
  header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  has(name: string): boolean {
    return this.#cookies.has(name);
  }

  clear(): void {
    this.#cookies.clear();
  }
}
