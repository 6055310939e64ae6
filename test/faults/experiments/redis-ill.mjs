import { sleep } from '../lib/waiting.mjs';

/** A Redis that holds sessions and the counts of limits goes away, and comes back. */
export default {
  name: 'redis-ill',
  about: 'Redis frozen, killed and restarted, with sessions in it (F4)',
  async run(lab) {
    const redis = await lab.redis();
    const settings = { REDIS_URL: redis.url, SESSION_STORE: 'redis', RATE_LIMIT: '1000000' };
    const shop = await lab.shop(settings, { hasSessions: false });
    await lab.row('redis-frozen', 'Redis frozen 2 s: everything but session cookies goes on', (row) =>
      underLoad(
        lab,
        row,
        shop,
        () => redis.freeze(),
        () => redis.thaw(),
      ),
    );
    await lab.row('redis-killed', 'Redis killed and started 2 s later', (row) =>
      underLoad(
        lab,
        row,
        shop,
        () => redis.kill(),
        () => redis.start(),
      ),
    );
    for (const [name, did, end] of ENDINGS) {
      await lab.row(name, did, (row) => endWhileFrozen(row, redis, shop, end));
    }
  },
};

async function underLoad(lab, row, shop, takeAway, giveBack) {
  const away = async (load) => {
    await takeAway();
    await sleep(2000);
    // Tokens, keys and limits do not need it.
    await load.progress();
    await giveBack();
  };
  await lab.mistreat(row, shop, away, { faults: [503] });
  row.check((await me(shop, shop.customers[0])) === 200, 'a session from before is gone');
}

/** F4: what ends a session while Redis does not answer, and is asked for again when it does. */
const ENDINGS = [
  [
    'redis-delete-session',
    'DELETE of a session while Redis is frozen, and again: it is dead (F4)',
    async (shop, { token }) => {
      const list = await shop.send('GET', '/api/v1/sessions?sort=createdAt:desc', { token });
      const { id } = list.json.data[0];
      return () => shop.send('DELETE', `/api/v1/sessions/${id}`, { token });
    },
  ],
  [
    'redis-logout',
    'logout while Redis is frozen, and again: the session is dead',
    async (shop, { sessionId, refreshToken }) => {
      const cookie = `session_id=${sessionId}; refresh_token=${refreshToken}`;
      const headers = { cookie, origin: 'https://127.0.0.1', 'sec-fetch-site': 'same-origin' };
      return () => shop.send('POST', '/api/v1/logout', { token: null, headers });
    },
  ],
  [
    'redis-password',
    'a password changed while Redis is frozen, and again: the session is dead',
    async (shop, { id, email, password }) => {
      // The login that asks for it keeps its session, all others end.
      const { token } = await shop.login({ email, password });
      const body = { password: 'another password, as long', currentPassword: password };
      return () => shop.send('PATCH', `/api/v1/users/${id}`, { token, body });
    },
  ],
  [
    'redis-reuse',
    'a used refresh token shown while Redis is frozen, and again: the session is dead (F4)',
    async (shop, { refreshToken }) => {
      const headers = { cookie: `refresh_token=${refreshToken}` };
      const refresh = () => shop.send('POST', '/api/v1/auth/refresh', { token: null, headers });
      const { status } = await refresh();
      if (status !== 200) throw new Error(`refresh: ${status}`);
      return refresh;
    },
  ],
];

async function endWhileFrozen(row, redis, shop, end) {
  await shop.service.revive();
  const login = await shop.newCustomer();
  row.check((await me(shop, login)) === 200, 'the session does not live before');
  const ask = await end(shop, login);
  redis.freeze();
  let first;
  try {
    first = await ask();
  } finally {
    redis.thaw();
  }
  row.check(
    first.status < 500 || first.status === 503,
    `while Redis was frozen: ${first.status} ${first.text}`,
  );
  const ready = await shop.service.readyAgain();
  if (first.status < 300) {
    const then = await me(shop, login);
    row.check(
      then === 401,
      `answered ${first.status} while Redis was frozen, and the session still gets ${then}`,
    );
  }
  // The service finds Redis again within a second; until then it says so.
  let second = await ask();
  for (let i = 0; i < 50 && second.status === 503; i++, await sleep(100)) second = await ask();
  const after = await me(shop, login);
  row.check(
    after === 401,
    `answered ${first.status}, then ${second.status}, and the session still gets ${after}`,
  );
  row.readyAfter(ready);
  row.takeService(shop.service);
}

/** The status of a request with a session cookie, when there is one. */
async function me(shop, { sessionId }) {
  for (let i = 0; ; i++, await sleep(100)) {
    const { status } = await shop.send('GET', '/api/v1/users/me', {
      token: null,
      headers: { cookie: `session_id=${sessionId}` },
    });
    if (status !== 503 || i === 50) return status;
  }
}
