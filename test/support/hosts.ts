import { RoutePolicy } from '../../packages/core/src/routes/route-policy.js';
import { Settings } from './settings.js';

interface Service {
  readonly url: string;
  /** The policies of its routes, by `METHOD path`, without the parts that JSON cannot carry. */
  policies(): Promise<Policies>;
  /** Stops it. */
  stop(): Promise<void>;
}

interface Started {
  readonly id: number;
  readonly url: string;
}

/** Policies of routes, by `METHOD path`. */
export type Policies = Readonly<Record<string, RoutePolicy>>;

/** The process that runs services for this Jest worker. */
const host = async (): Promise<{ url: string; databaseUrl: string }> => {
  const { TEST_HOSTS_URL: url = '', JEST_WORKER_ID: worker = '1' } = process.env;
  return ask('GET', `${url}/${worker}`);
};

/** The service that the test files of this worker share. The first of them starts it. */
export async function sharedService(
  settings: Settings,
): Promise<Omit<Service, 'stop'> & { databaseUrl: string }> {
  const { url: hostUrl, databaseUrl } = await host();
  const all = { DATABASE_URL: databaseUrl, ...settings };
  const { id, url } = await ask<Started>('POST', `${hostUrl}/shared`, { settings: all });
  return { url, databaseUrl, policies: () => ask('GET', `${hostUrl}/services/${id}`) };
}

/**
 * Starts a service of the test file's own, which the file must stop. @throws Error with the reason if it does
 * not start
 */
export async function startService(settings: Settings): Promise<Service> {
  const { url: hostUrl } = await host();
  const file = expect.getState().testPath;
  const { id, url } = await ask<Started>('POST', `${hostUrl}/services`, {
    settings,
    file,
  });
  const path = `${hostUrl}/services/${id}`;
  return { url, policies: () => ask('GET', path), stop: () => ask('DELETE', path) };
}

async function ask<T>(method: string, url: string, body?: unknown): Promise<T> {
  const response = await fetch(url, { method, body: body === undefined ? undefined : JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
