/** `npm run bench:batch` compares batches of 100 updates with single requests, one at a time and on 64 connections. */
import { addressed, logIn } from './client.mjs';
import { median } from './measure.mjs';
import { treeCpuSeconds } from './pinning.mjs';
import { onStage, settleCpus } from './stage.mjs';

const ROUNDS = 60;
const options = { products: 10_000, cpus: settleCpus({ server: '0', load: '1' }) };
await onStage(options, async ({ servers: { ours }, subjects: { ids }, postmaster }) => {
  const [login] = await logIn(ours);
  const send = async (method, path, given) => {
    const headers = { 'content-type': 'application/json' };
    const request = addressed(ours, login, { method, path, headers, body: JSON.stringify(given) });
    const answer = await fetch(ours.url + request.path, request);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const inTurn = async (updates) => {
    for (const { id, body } of updates) await send('PATCH', `/products/${id}`, body);
  };
  const ways = {
    atomic: (operations) => send('POST', '/products/batch', { operations }),
    apart: (operations) => send('POST', '/products/batch', { operations, atomic: false }),
    'in turn': inTurn,
    'at once': (all) =>
      Promise.all(Array.from({ length: 64 }, (_, i) => inTurn(all.filter((__, j) => j % 64 === i)))),
  };
  const cpu = () => treeCpuSeconds(ours.pid) + (postmaster ? treeCpuSeconds(postmaster) : 0);
  for (const [name, run] of Object.entries(ways)) {
    const times = [];
    let before = 0;
    for (let round = 0; round < ROUNDS; round++) {
      if (round === ROUNDS / 3) before = cpu();
      const some = ids.slice(round * 100, (round + 1) * 100);
      const startedAt = performance.now();
      await run(some.map((id) => ({ method: 'update', id, body: { price: Math.round(performance.now()) } })));
      if (round >= ROUNDS / 3) times.push(performance.now() - startedAt);
    }
    const work = ((cpu() - before) / times.length) * 1000;
    console.log(
      `${name}: ${median(times).toFixed(1)} ms, ${work.toFixed(1)} ms of processors for 100 updates`,
    );
  }
});
