import { readFileSync } from 'node:fs';

import { flood } from '../lib/flood.mjs';
import { secondsSince, sleep } from '../lib/waiting.mjs';

const HEAP_MIB = 256;
/** What is not heap: code, buffers of sockets and of bodies, Argon2's 19 MiB for each password that is being proved. */
const OTHER_MIB = 250;
const MIB = 1024 * 1024;

/** Little memory, long answers and long bodies, for minutes. */
export default {
  name: 'memory',
  about: `a heap of ${HEAP_MIB} MB under lists of 100 and bodies of 1 MB`,
  isLongOnly: true,
  async run(lab) {
    const shop = await lab.shop({}, { nodeOptions: [`--max-old-space-size=${HEAP_MIB}`] });
    const minutes = lab.isLong ? 10 : 0.5;
    const did = `a heap of ${HEAP_MIB} MB, lists of 100, bodies of 1 MB, writers; ${minutes} minutes`;
    await lab.row('memory', did, async (row) => {
      let highest = 0;
      const press = async () => {
        const pressing = [askForLists, sendBodies].map((request) =>
          flood(lab.scope, {
            port: shop.service.port,
            connections: 8,
            seconds: minutes * 60,
            request: request(shop),
          }),
        );
        const begin = performance.now();
        while (secondsSince(begin) < minutes * 60 && !shop.service.hasEnded) {
          highest = Math.max(highest, residentMib(shop.service));
          await sleep(500);
        }
        for (const { statuses, flaws } of await Promise.all(pressing)) {
          row.bad.push(...flaws);
          row.note(JSON.stringify(statuses));
        }
      };
      await lab.mistreat(row, shop, press, { writers: 6 });
      row.note(`at most ${Math.round(highest)} MB in memory`);
      row.check(highest < HEAP_MIB + OTHER_MIB, `${Math.round(highest)} MB in memory`);
    });
  },
};

const head = (method, { admin }) =>
  `${method} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Proto: https\r\nAuthorization: Bearer ${admin.token}\r\n`;

const askForLists = (shop) => `${head('GET /api/v1/products?limit=100', shop)}\r\n`;

/** As long as a body may be, and refused once it is read: the name is too long. */
function sendBodies(shop) {
  const body = JSON.stringify({ name: 'x'.repeat(MIB - 100), price: 1, category: 'long' });
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${head('POST /api/v1/products', shop)}${headers}\r\n${body}`;
}

const residentMib = ({ pid }) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
