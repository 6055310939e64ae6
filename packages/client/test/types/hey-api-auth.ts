/** hey-api's client with its default `auth`, which sends one secret for all schemes of the document. */
import { client } from './hey-api/client.gen';
import { getCurrentUser, listProducts } from './hey-api/sdk.gen';

export async function readWith(baseUrl: string, token: string): Promise<unknown[]> {
  client.setConfig({ baseUrl, auth: () => token });
  const user = await getCurrentUser();
  const list = await listProducts({ query: { limit: 5 } });
  return [user.data?.role, Array.isArray((list.data as { data?: unknown } | undefined)?.data)];
}
