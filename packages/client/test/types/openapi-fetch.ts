/** Code that uses the types of openapi-typescript, with the line from the guide that declares lists to be JSON. */
import createClient from 'openapi-fetch';
import type { paths } from './openapi-fetch/schema';

export async function names(baseUrl: string, token: string): Promise<string[]> {
  const client = createClient<paths, 'application/json'>({ baseUrl });
  const headers = { Authorization: `Bearer ${token}` };
  const { data, error } = await client.GET('/api/v1/products', { headers, params: { query: { limit: 5 } } });
  if (error) throw new Error(error.error.code);
  return data.data.map(({ name }) => name);
}
