import { sleep } from '../lib/waiting.mjs';

/** The service is killed at random moments, and frozen. */
export default async function serverKilled(lab) {
  const shop = await lab.shop();
  await lab.row(
    'server-kill',
    'the service is killed with kill -9 under 20 writers and started again',
    async (row) => {
      row.times = 4;
      const kill = async (load) => {
        for (let round = 0; round < row.times; round++) {
          await load.progress(50);
          await sleep(lab.random.integer(0, 300));
          await shop.service.kill();
          await shop.service.restart();
        }
      };
      await lab.mistreat(row, shop, kill, { mayCut: true });
    },
  );
  await lab.row('server-stopped', 'the service is frozen with SIGSTOP for 3 s', (row) =>
    lab.mistreat(row, shop, async () => {
      shop.service.signal('SIGSTOP');
      await sleep(3000);
      shop.service.signal('SIGCONT');
    }),
  );
}
