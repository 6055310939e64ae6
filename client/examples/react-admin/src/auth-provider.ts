import type { AuthProvider } from 'react-admin';

import { isError } from '../../../src/generated/index.js';
import type { Api } from './data-provider.js';

/**
 * Logs in by `token()`: the access token stays in memory, and after a reload the refresh cookie gets a new one. Only a
 * 401 ends a login: a 403 is an answer about one action.
 */
export const authProvider = (api: Api): AuthProvider => ({
  login: async ({ username, password }) => void (await api.login({ email: username, password })),
  logout: () => api.logout().catch(() => undefined),
  checkAuth: async () => void (await api.users.me()),
  checkError: async ({ status }) => {
    if (status === 401) throw new Error('The login has ended.');
  },
  getIdentity: async () => {
    const { id, name, email } = (await api.users.me()).data;
    return { id, fullName: name ?? email };
  },
  getPermissions: async () => {
    try {
      return (await api.users.me()).data.role;
    } catch (error) {
      if (isError(error)) return undefined;
      throw error;
    }
  },
});
