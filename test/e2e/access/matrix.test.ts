import { Answer } from '@plinth/dev/testing';

import '../../../src/config/access.js';
import { Role, permissionsOf, ROLES, STAFF_ROLES } from '../../../packages/core/src/config/define-access.js';
import '../../../packages/core/src/access/schemes/auth-schemes.js';
import { RoutePolicy } from '../../../packages/core/src/routes/route-policy.js';
import { useApp } from '../../support/app.js';
import { headersOf, SCHEMES, SchemeName } from '../../support/schemes.js';

type Headers = Record<string, string>;

/** Generated from the routes of the service, so that a new route is tested automatically. */
describe('every route, by every scheme, for every role', () => {
  const app = useApp();
  let routes: [method: string, path: string, policy: RoutePolicy][];
  let credentials: Record<Role, Record<SchemeName, Headers>>;

  beforeAll(async () => {
    routes = Object.entries(await app.policies())
      .filter(([route]) => / \/(api\/v\d+\/|login|auth)\b/.test(route) && !route.startsWith('HEAD'))
      .map(([route, policy]) => {
        const [method = '', path = ''] = route.split(' ');
        return [method, path.replaceAll(/:\w+/g, '0'), policy] as [string, string, RoutePolicy];
      })
      // Logging out ends the session that the others need, so it comes last.
      .sort(([, a], [, b]) => Number(a.endsWith('/logout')) - Number(b.endsWith('/logout')));
    const entries: [Role, Record<SchemeName, Headers>][] = [];
    for (const role of ROLES) {
      entries.push([role, await headersOf(app, await app.user(role), [...permissionsOf(role)])]);
    }
    credentials = Object.fromEntries(entries) as typeof credentials;
  });

  const send = (method: string, path: string, headers: Headers): Promise<Answer> => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    return app.anonymous.request(method, path, { headers, body });
  };

  it('requires credentials unless it is public, and refuses invalid ones', async () => {
    for (const [method, path, { access }] of routes) {
      if (access?.isPublic) continue;
      const bad: Headers[] = [
        {},
        { authorization: 'Bearer x' },
        { authorization: 'Basic x' },
        { 'x-api-key': 'x' },
        { cookie: 'session_id=x' },
      ];
      const statuses = await Promise.all(
        bad.map(async (headers) => (await send(method, path, headers)).status),
      );
      expect([method, path, statuses]).toEqual([method, path, bad.map(() => 401)]);
    }
  });

  it.each(ROLES)('lets the role %s do what it may, and nothing else', async (role) => {
    for (const [method, path, { access }] of routes) {
      // The logout ends the session, so it is tried with an API key and with Basic only.
      const isLogout = path.endsWith('/logout');
      const schemes = SCHEMES.filter((scheme) => !isLogout || scheme === 'api-key' || scheme === 'basic');
      const answers = await Promise.all(
        schemes.map((scheme) => send(method, path, credentials[role][scheme])),
      );
      for (const [i, { status }] of answers.entries()) {
        const scheme = schemes[i]!;
        const cell = [method, path, scheme, status];
        if (!access || access.isPublic) {
          expect(cell).not.toContain(403);
          continue;
        }
        const isHeld =
          permissionsOf(role).has(access.permission) && (!access.staff || STAFF_ROLES.includes(role));
        // For rows that belong to the caller, the service decides.
        const isHeldByKey = scheme !== 'api-key' || permissionsOf(role).has(access.permission);
        const isLeftToService = access.ownerField !== undefined && isHeldByKey;
        expect(cell).not.toContain(401);
        if (isHeld) expect(cell).not.toContain(403);
        else if (!isLeftToService) expect(cell).toEqual([method, path, scheme, 403]);
      }
    }
  });
});
