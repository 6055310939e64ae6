import { Settings } from './settings.js';

interface Service {
  readonly url: string;
  /** Ends it. */
  stop(): Promise<void>;
}

/** The process that runs services for this Jest worker. */
const host = async (): Promise<{ url: string; databaseUrl: string }> => {
  const { TEST_HOSTS_URL: url, JEST_WORKER_ID: worker = '1' } = process.env;
  if (!url) throw new Error('with E2E_BASE_URL no service is started: see test/support/needs.ts');
  return ask('GET', `${url}/${worker}`);
};

/** The service that the test files of this worker share, started by the first of them. */
export async function sharedService(settings: Settings): Promise<{ url: string; databaseUrl: string }> {
  const { url, databaseUrl } = await host();
  const all = { DATABASE_URL: databaseUrl, ...settings };
  const service = await ask<{ url: string }>('POST', `${url}/shared`, { settings: all });
  return { url: service.url, databaseUrl };
}

/** A service of the test file's own, which has to stop it. @throws Error with the reason where it does not start */
export async function startService(settings: Settings): Promise<Service> {
  const { url: hostUrl } = await host();
  const file = expect.getState().testPath;
  const { id, url } = await ask<{ id: number; url: string }>('POST', `${hostUrl}/services`, {
    settings,
    file,
  });
  return { url, stop: () => ask('DELETE', `${hostUrl}/services/${id}`) };
}

async function ask<T>(method: string, url: string, body?: unknown): Promise<T> {
  const response = await fetch(url, { method, body: body === undefined ? undefined : JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
