/** A service that is already up, at which `E2E_BASE_URL` points the end-to-end tests. */
export interface Remote {
  readonly baseUrl: string;
  /** An administrator of the service, whom the tests log in. */
  readonly admin: { readonly email: string; readonly password: string };
}

const { E2E_BASE_URL, E2E_ADMIN_EMAIL = '', E2E_ADMIN_PASSWORD = '' } = process.env;

/** `undefined`: the tests start services of their own. */
export const remote: Remote | undefined = E2E_BASE_URL
  ? {
      baseUrl: E2E_BASE_URL.replace(/\/+$/, ''),
      admin: { email: E2E_ADMIN_EMAIL, password: E2E_ADMIN_PASSWORD },
    }
  : undefined;

/** The `Host` of requests that are written by hand. */
export const HOST = remote ? new URL(remote.baseUrl).host : 'localhost';

/** Longer than a window of the limit on requests; the one on failed logins is longer. */
const PATIENCE_SECONDS = 120;

interface Limited {
  readonly status: number;
  readonly headers: Headers;
}

/**
 * Sends a request again when the service that is up has answered that it was one too many, as late as it asks for:
 * limits stay on there.
 *
 * @throws Error where that would take longer than `PATIENCE_SECONDS`
 */
export async function politely<Answer extends Limited>(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (!remote || answer.status !== 429) return answer;
    const seconds = Number(answer.headers.get('retry-after'));
    if (!(seconds <= PATIENCE_SECONDS))
      throw new Error(
        `${remote.baseUrl} takes no more requests for ${seconds} s: raise LOGIN_RATE_LIMIT there`,
      );
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** Paths of what this test file has made in the service that is up, in the order in which it was made. */
const made: string[] = [];

/** Notes what a response says was created. */
export function noteCreated({ status, headers }: Limited): void {
  const path = headers.get('location');
  if (remote && status === 201 && path) made.push(path);
}

/** What was made since this was last asked for, the latest first: parts before the whole. */
export const takeCreated = (): string[] => made.splice(0).reverse();
