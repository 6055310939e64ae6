import { createClient, token } from '../../../client/dist/esm/index.js';

/** Creates helpers for tests, such as clients of the service at `baseUrl` that record the requests they send. */
export function makeContext({ baseUrl, admin }) {
  let count = 0;
  const unique = (prefix) =>
    `${prefix}-${Date.now().toString(36)}-${++count}-${Math.random().toString(36).slice(2, 7)}`;

  /** Returns a client and a list of its requests, each with the status of its response. */
  function recorded(options = {}) {
    const sent = [];
    const send = async (url, init) => {
      const entry = {
        method: init.method,
        path: new URL(url).pathname,
        headers: init.headers,
        status: undefined,
      };
      sent.push(entry);
      const response = await fetch(url, init);
      entry.status = response.status;
      return response;
    };
    const client = createClient({ baseUrl, fetch: send, ...options });
    return { client, sent };
  }

  const asAdmin = (options = {}) => recorded({ auth: token(admin), ...options });
  const { client: registrar } = asAdmin();

  /** Creates a user and returns the credentials. */
  async function newUser(role = 'viewer') {
    const credentials = { email: `${unique(role)}@example.com`, password: 'pässwörd: with a colon' };
    const { data } = await registrar.users.create({ ...credentials, role });
    return { ...credentials, id: data.id };
  }

  const newProduct = async (client, fields = {}) =>
    (
      await client.products.create({
        name: unique('Lamp'),
        price: 10,
        category: unique('category'),
        ...fields,
      })
    ).data;

  /** Returns the headers that make the proxy fail. */
  const fault = (kind, times = 1) => ({ 'X-Fault': `${unique('fault')} ${kind} ${times}` });

  return { baseUrl, admin, unique, recorded, asAdmin, newUser, newProduct, fault };
}
