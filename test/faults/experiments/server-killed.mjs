import { sleep } from '../lib/waiting.mjs';

/** The service killed at any moment, and stopped where it stands. */
export default {
  name: 'server-killed',
  about: 'kill -9 and SIGSTOP of the service under writers',
  async run(lab) {
    const shop = await lab.shop();
    await lab.row('server-kill', 'kill -9 of the service under 20 writers, and started', async (row) => {
      row.times = lab.isLong ? 50 : 4;
      const kill = async (load) => {
        for (let round = 0; round < row.times; round++) {
          await load.progress(50);
          await sleep(lab.random.integer(0, 300));
          await shop.service.kill();
          await shop.service.restart();
        }
      };
      await lab.mistreat(row, shop, kill, { mayCut: true });
    });
    const seconds = lab.isLong ? 15 : 3;
    await lab.row('server-stopped', `SIGSTOP of the service for ${seconds} s`, async (row) => {
      await lab.mistreat(row, shop, async () => {
        shop.service.signal('SIGSTOP');
        await sleep(seconds * 1000);
        shop.service.signal('SIGCONT');
      });
    });
  },
};
