/** A program over the client that hey-api generates: its credentials go to the scheme that they are for. */
import { client } from './dist/hey-api/client.gen.js';
import { listProducts } from './dist/hey-api/index.js';

export function useToken(baseUrl: string, accessToken: string): void {
  client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? accessToken : undefined) });
}

export function useApiKey(baseUrl: string, key: string): void {
  client.setConfig({ baseUrl, auth: ({ name }) => (name === 'X-API-Key' ? key : undefined) });
}

export async function namesOfLamps(): Promise<string[]> {
  const { data, error } = await listProducts({ query: { category: 'lighting', sort: 'price:asc' } });
  if (error) throw new Error(error.error.code);
  return data.data.map(({ name }) => name);
}
