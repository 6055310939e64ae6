/** `npm run bench:search` compares search and facets with pages of a category, one request at a time, on a million products. */
import { addressed, logIn } from './client.mjs';
import { treeCpuSeconds } from './pinning.mjs';
import { onStage, settleCpus } from './stage.mjs';

const SECONDS = 5;
const [count = '1000000', keep] = process.argv.slice(2);
const options = {
  products: Number(count),
  keep,
  others: {},
  cpus: settleCpus({ server: '0', load: '1' }),
};
await onStage(options, async ({ servers: { ours }, client, postmaster }) => {
  const [login] = await logIn(ours);
  const { rows } = await client.query(
    'select name, category from products where category is not null order by md5(id::text) limit 500',
  );
  const cases = {
    'page of a category': ({ category }) =>
      `/products?${new URLSearchParams({ category, sort: 'price:asc' })}`,
    'search by the words of a name': ({ name }) => `/products?${new URLSearchParams({ q: name })}`,
    'search by one word': ({ name }) => `/products?${new URLSearchParams({ q: name.split(' ')[0] })}`,
    'search within a category': ({ name, category }) =>
      `/products?${new URLSearchParams({ q: name.split(' ')[0], category })}`,
    'facets of a category': ({ category }) => `/products/facets?${new URLSearchParams({ category })}`,
    'facets of the words of a name': ({ name }) => `/products/facets?${new URLSearchParams({ q: name })}`,
    'facets of all': () => '/products/facets',
  };
  const cpu = () => treeCpuSeconds(ours.pid) + (postmaster ? treeCpuSeconds(postmaster) : 0);
  for (const [name, pathOf] of Object.entries(cases)) {
    const times = [];
    const [before, end] = [cpu(), performance.now() + SECONDS * 1000];
    for (let i = 0; performance.now() < end; i++) {
      const request = addressed(ours, login, { path: pathOf(rows[i % rows.length]), headers: {} });
      const startedAt = performance.now();
      const answer = await fetch(ours.url + request.path, request);
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${request.path} answered ${answer.status}: ${text}`);
      times.push(performance.now() - startedAt);
    }
    const work = ((cpu() - before) / times.length) * 1000;
    times.sort((a, b) => a - b);
    const [p50, p99] = [0.5, 0.99].map((share) => times[Math.floor(share * times.length)].toFixed(1));
    console.log(
      `${name}: p50 ${p50} ms, p99 ${p99} ms, ${work.toFixed(1)} ms of processors, ${times.length} requests`,
    );
  }
});
