import { Balancer } from '../lib/balancer.mjs';
import { hasHaproxy, Haproxy } from '../lib/haproxy.mjs';

const KINDS = [
  [
    'rolling-poll',
    'two instances restarted in turn behind a balancer that polls, SHUTDOWN_DELAY_MS=1500 (F11)',
    'poll',
    { SHUTDOWN_DELAY_MS: '1500' },
  ],
  ['rolling-follow', 'the same behind one that follows connections, without a delay (F11)', 'follow', {}],
];

/** F11: a rolling restart loses no request. */
export default {
  name: 'rolling-restart',
  about: 'two instances restarted in turn behind a balancer, under load (F11)',
  async run(lab) {
    for (const [name, did, kind, settings] of KINDS) {
      await lab.row(name, did, (row) => roll(lab, row, kind, settings));
    }
  },
};

async function roll(lab, row, kind, settings) {
  const shop = await lab.shop(settings);
  const second = await lab.service({ DATABASE_URL: shop.database.url, ...settings });
  const instances = [shop.service, second];
  const isReal = kind === 'poll' && hasHaproxy();
  row.note(isReal ? 'the balancer is HAProxy' : 'the balancer is our own');
  const target = isReal
    ? await Haproxy.start(lab.scope, instances)
    : await Balancer.start(lab.scope, kind, instances);
  await target.findsAll();
  row.times = lab.isLong ? 20 : 1;
  const restart = async (load) => {
    for (let round = 0; round < row.times; round++) {
      for (const instance of instances) await restartOne(row, load, instance, target);
    }
  };
  // Nothing but what was asked for: no 502, no 503.
  await lab.mistreat(row, shop, restart, { target, faults: [] });
  row.takeService(second);
}

async function restartOne(row, load, instance, balancer) {
  await load.progress();
  const { code, seconds } = await instance.stop();
  row.check(code === 0, `exit ${code} after ${seconds.toFixed(1)} s`);
  row.within(seconds, 10, 'stopped');
  await instance.restart();
  await instance.readyAgain();
  // Before the other one goes.
  await balancer.findsAll();
}
