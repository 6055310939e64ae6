import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { send } from '../lib/http.mjs';
import { sleep } from '../lib/waiting.mjs';

/** What a process is given less of than it would like. */
export default {
  name: 'limited',
  about: 'few file descriptors (F5), a log that nobody reads (F6), one connection to PostgreSQL (F8)',
  async run(lab) {
    await lab.row('few-descriptors', '15 file descriptors left, 200 sockets (F5)', (row) =>
      fewDescriptors(lab, row),
    );
    await lab.row('unread-log', 'stdout a pipe that nobody reads, 5,000 requests, SIGTERM (F6)', (row) =>
      unreadLog(lab, row),
    );
    await lab.row('one-connection', 'DATABASE_POOL_SIZE=1, an empty database (F8)', (row) =>
      oneConnection(lab, row),
    );
  },
};

const LEFT = 15;
const SOCKETS = 200;

async function fewDescriptors(lab, row) {
  lab.needProgram('prlimit', 'prlimit is not installed (Debian: util-linux)');
  const shop = await lab.shop();
  const fault = async () => {
    const used = readdirSync(`/proc/${shop.service.pid}/fd`).length;
    limit(shop.service, used + LEFT);
    const sockets = Array.from({ length: SOCKETS }, () => connect(shop.service.port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined);
    await sleep(lab.isLong ? 30_000 : 3000);
    for (const socket of sockets) socket.destroy();
  };
  // A socket more than it can have is closed, whoever's it is. Few writers: those that wait to be accepted are taken
  // one in each turn of the event loop, behind the 200, and the turns are long where the machine is busy.
  await lab.mistreat(row, shop, fault, { mayCut: true, writers: 6 });
}

function limit({ pid }, descriptors) {
  const run = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${descriptors}:${descriptors}`]);
  if (run.status !== 0) throw new Error(`prlimit: ${run.stderr}`);
}

/** The service's bound: "exit 0 within 10 s whatever clients, log pipes or half-sent bodies do". */
const STOP_SECONDS = 10;

async function unreadLog(lab, row) {
  const database = await lab.database();
  const path = join(lab.folder(), 'log');
  spawnSync('mkfifo', [path]);
  // Open for both, so that opening waits for nobody and the pipe never breaks.
  const pipe = openSync(path, constants.O_RDWR);
  lab.scope.defer(() => closeSync(pipe));
  const service = await lab.service({ DATABASE_URL: database.url, LOG_LEVEL: 'info' }, { stdout: pipe });
  const ask = async () => {
    for (let i = 0; i < 250; i++) {
      const { status } = await send({ port: service.port, path: '/api/v1/products' });
      row.check(status === 401, `GET without credentials: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 20 }, ask));
  const { code, seconds } = await service.stop(STOP_SECONDS + 10);
  row.note(`exit ${code} after ${seconds.toFixed(1)} s`);
  row.check(
    code === 0,
    `SIGTERM: ${code === null ? 'still there' : `exit ${code}`} after ${seconds.toFixed(1)} s`,
  );
  if (code === 0) row.within(seconds, STOP_SECONDS, 'stopped');
}

async function oneConnection(lab, row) {
  const database = await lab.emptyDatabase();
  const service = await lab.service({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: '1' });
  row.readyAfter(await service.readyAgain());
  await service.stop();
  const shop = await lab.shop({ DATABASE_POOL_SIZE: '1' });
  await lab.mistreat(row, shop, (load) => load.progress(100));
}
