/** `npm run bench:csv` exports a million products as CSV, and measures rows a second and the additional memory. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { addressed, logIn } from './client.mjs';
import { onStage, settleCpus } from './stage.mjs';

const ROUNDS = 3;
const [products = 1_000_000] = process.argv.slice(2).map(Number);
const options = { products, cpus: settleCpus({ server: '0', load: '1' }) };
await onStage(options, async ({ servers: { ours } }) => {
  const [login] = await logIn(ours);
  const resident = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${ours.pid}/status`, 'utf8'))[1]) / 1024;
  const exported = async () => {
    const request = addressed(ours, login, {
      method: 'GET',
      path: '/products',
      headers: { accept: 'text/csv' },
    });
    const answer = await fetch(ours.url + request.path, request);
    let [lines, bytes] = [0, 0];
    for await (const chunk of answer.body) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) lines++;
    }
    return { lines, bytes };
  };
  await sleep(5_000);
  const idle = resident();
  for (let round = 1; round <= ROUNDS; round++) {
    let peak = 0;
    const watching = setInterval(() => (peak = Math.max(peak, resident())), 50);
    const startedAt = performance.now();
    const { lines, bytes } = await exported();
    const seconds = (performance.now() - startedAt) / 1000;
    clearInterval(watching);
    console.log(
      `${lines - 1} rows, ${Math.round(bytes / 1e6)} MB in ${seconds.toFixed(1)} s: ` +
        `${Math.round((lines - 1) / seconds)} rows/s, ${Math.round(peak - idle)} MB above ${Math.round(idle)} MB idle`,
    );
  }
});
