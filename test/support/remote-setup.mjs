/**
 * Before end-to-end tests of a service that is already up: it answers, and its administrator can log in. Else each
 * test would say so.
 */
export async function checkRemote({
  E2E_BASE_URL: url,
  E2E_ADMIN_EMAIL: email,
  E2E_ADMIN_PASSWORD: password,
}) {
  if (!email || !password)
    throw new Error(
      'E2E_BASE_URL is set: set E2E_ADMIN_EMAIL and E2E_ADMIN_PASSWORD to an administrator of it',
    );
  const response = await fetch(new URL('/api/v1/login', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  }).catch((error) => {
    throw new Error(`E2E_BASE_URL: ${url} does not answer`, { cause: error });
  });
  const { user, error } = await response.json();
  if (response.status !== 200) throw new Error(`E2E_ADMIN_EMAIL cannot log in at ${url}: ${error?.message}`);
  if (user.role !== 'admin') throw new Error(`E2E_ADMIN_EMAIL is no administrator, but ${user.role}`);
}
