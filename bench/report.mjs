/** Writes the results as a table and as JSON. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { PRODUCTS } from './options.mjs';
import { root } from './servers.mjs';

/** @typedef {import('./measure.mjs').Result} Result */

/** The properties of the machine that affect the figures. */
export const machine = () => ({
  date: new Date().toISOString(),
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
  node: process.version,
});

const HEAD = [
  'case',
  'ours req/s',
  'baseline req/s',
  'ratio',
  'work for the same CPU',
  'ours µs CPU',
  'baseline µs CPU',
  'ours p50',
  'p99',
  'baseline p50',
  'p99',
  'busy',
];

/**
 * Returns a Markdown table that is aligned, so that it is readable in a terminal too.
 * @param {Result[]} results
 */
export function table(results) {
  return alignedTable([HEAD, ...results.map(cells)]);
}

/** @param {string[][]} rows the head, then the rows */
export function alignedTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  return [line(rows[0]), rule, ...rows.slice(1).map(line)].join('\n');
}

/** The formats of figures. */
export const rate = ({ requestsPerSecond }) => Math.round(requestsPerSecond).toLocaleString('en');
export const milliseconds = (value) => `${value.toFixed(1)} ms`;
export const percent = ({ busy }) => (busy === null ? '?' : `${Math.round(busy * 100)}%`);
export const micros = ({ serverMicros, databaseMicros }) =>
  [serverMicros, databaseMicros]
    .map((value) => (value === null ? '?' : String(Math.round(value))))
    .join(' + ');

/** Returns the median of all rounds, and the range between the pairs of processes. */
function workCell({ work, works = [] }) {
  if (work === null) return '?';
  const [least, most] = [Math.min(...works), Math.max(...works)].map((each) => each.toFixed(2));
  return works.length > 1 ? `${work.toFixed(2)} (${least}–${most})` : work.toFixed(2);
}

function cells({ title, error, ratio, work, works, ours, baseline }) {
  if (error) return [title, 'FAILED', ...HEAD.slice(2).map(() => '')];
  const latencies = [ours.p50, ours.p99, baseline.p50, baseline.p99].map(milliseconds);
  return [
    title,
    rate(ours),
    rate(baseline),
    ratio.toFixed(2),
    workCell({ work, works }),
    micros(ours),
    micros(baseline),
    ...latencies,
    `${percent(ours)} / ${percent(baseline)}`,
  ];
}

/**
 * Writes `<name>.json`, which is not committed, and `<name>.md` into `bench/results`.
 * @param {Result[]} results
 * @param {ReturnType<typeof machine> & Record<string, any>} about
 */
export async function writeReport(results, about) {
  const directory = root('bench/results');
  await mkdir(directory, { recursive: true });
  const name = nameOf(about);
  await writeFile(`${directory}/${name}.json`, `${JSON.stringify({ about, results }, null, 2)}\n`);
  await writeFile(`${directory}/${name}.md`, markdown(results, about));
  console.log(`  Written to bench/results: ${name}.md, ${name}.json`);
}

/** Returns `latest`, with the number of products unless it is the default. `partial` and `smoke` are not committed. */
function nameOf({ smoke, only, against, products }) {
  if (smoke) return 'smoke';
  if (only || against) return 'partial';
  return products === PRODUCTS ? 'latest' : `latest-${products}`;
}

/** @param {import('./stage.mjs').Cpus} cpus */
const pinning = ({ server, load }) =>
  server === null
    ? 'Nothing was pinned to a core.'
    : `Server on core ${server}, load and PostgreSQL on ${load}.`;

function markdown(results, about) {
  const { processes, rounds, seconds, against } = about;
  const failures = results.filter(({ error }) => error).map(({ title, error }) => `- ${title}: ${error}\n`);
  return `# Benchmark

${table(results)}

${failures.length > 0 ? `Failed:\n\n${failures.join('')}\n` : ''}*µs CPU* is the processor time of a request, server + PostgreSQL. *Work for the same CPU* is how many requests this server answers in
the processor time in which the baseline answers one, with the lowest and the highest pair of processes in brackets. Figures are
medians over ${processes} × ${rounds} rounds of ${seconds} s. \`busy\` is the share of its core that each server used (ours / baseline):
well below 100%, PostgreSQL or the load was the limit.

| | |
| --- | --- |
| Command | \`${about.command}\` |
| Date | ${about.date} |
| Machine | ${about.cpu}, ${about.cores} cores, ${about.memoryGiB} GiB, ${about.system} |
| Node.js | ${about.node} |
| Load | ${about.tool}, ${about.connections} connections. ${pinning(about.cpus)} |
| Baseline | ${against ? `This server with ${Object.entries(against).map((setting) => setting.join('='))}` : 'Fastify and `pg`'} |
| Table | ${about.products.toLocaleString('en')} products |
`;
}
