/** The results as a table, as JSON and as a chart. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { chart } from './chart.mjs';
import { PRODUCTS } from './options.mjs';
import { root } from './servers.mjs';
import { costOf } from './settings.mjs';

/** @typedef {import('./measure.mjs').Result} Result */

/** What the figures depend on beside the code. */
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
  'lower quartiles',
  'ours µs CPU',
  'baseline µs CPU',
  'ours p50',
  'p99',
  'baseline p50',
  'p99',
  'busy',
];

/**
 * A Markdown table, aligned so that it reads well in a terminal too.
 * @param {Result[]} results
 */
export function table(results) {
  return alignedTable([HEAD, ...results.map(cells)]);
}

/** @param {string[][]} rows the first is the head */
export function alignedTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  return [line(rows[0]), rule, ...rows.slice(1).map(line)].join('\n');
}

const SETTINGS_HEAD = ['setting', 'without µs CPU', 'with µs CPU', 'costs', 'busy'];

/**
 * What settings cost: the table of `measureSettings`.
 * @param {Result[]} results
 */
export function settingsTable(results) {
  return alignedTable([SETTINGS_HEAD, ...results.map(settingCells)]);
}

function settingCells({ title, error, work, ours, baseline }) {
  if (error) return [title, 'FAILED', '', '', ''];
  return [title, micros(ours), micros(baseline), costOf({ work }), `${percent(ours)} / ${percent(baseline)}`];
}

/** How figures are written. */
export const rate = ({ requestsPerSecond }) => Math.round(requestsPerSecond).toLocaleString('en');
export const milliseconds = (value) => `${value.toFixed(1)} ms`;
export const percent = ({ busy }) => (busy === null ? '?' : `${Math.round(busy * 100)}%`);
export const micros = ({ serverMicros, databaseMicros }) =>
  [serverMicros, databaseMicros]
    .map((value) => (value === null ? '?' : String(Math.round(value))))
    .join(' + ');

/** The median over all rounds, and from which pair of processes to which it went. */
function workCell({ work, works = [] }) {
  if (work === null) return '?';
  const [least, most] = [Math.min(...works), Math.max(...works)].map((each) => each.toFixed(2));
  return works.length > 1 ? `${work.toFixed(2)} (${least}–${most})` : work.toFixed(2);
}

function cells({ title, error, ratio, work, works, workOfQuartiles, ours, baseline }) {
  if (error) return [title, 'FAILED', ...HEAD.slice(2).map(() => '')];
  const latencies = [ours.p50, ours.p99, baseline.p50, baseline.p99].map(milliseconds);
  return [
    title,
    rate(ours),
    rate(baseline),
    ratio.toFixed(2),
    workCell({ work, works }),
    workOfQuartiles === null ? '?' : workOfQuartiles.toFixed(2),
    micros(ours),
    micros(baseline),
    ...latencies,
    `${percent(ours)} / ${percent(baseline)}`,
  ];
}

/**
 * Writes `<name>.json`, `<name>.md` and `<name>.svg` into `bench/results`.
 * @param {Result[]} results
 * @param {Result[]} settings what settings cost
 * @param {ReturnType<typeof machine> & Record<string, any>} about
 */
export async function writeReport(results, settings, about) {
  const directory = root('bench/results');
  await mkdir(directory, { recursive: true });
  const { date, cpu, cores, memoryGiB, system, node, command, tool, products, ...others } = about;
  const { processes, passes, rounds, seconds, warmup, breakIn, connections } = others;
  const loads = { processes, passes, rounds, seconds, warmup, breakIn, connections };
  const conditions = { tool, cpus: others.cpus, products, ...loads };
  const json = {
    date,
    command,
    machine: { cpu, cores, memoryGiB, system, node },
    conditions,
    results,
    settings,
  };
  const name = nameOf(about);
  await writeFile(`${directory}/${name}.json`, `${JSON.stringify(json, null, 2)}\n`);
  await writeFile(`${directory}/${name}.md`, markdown(results, settings, { ...about, name }));
  await writeFile(`${directory}/${name}.svg`, chart(results, footnote(about)));
  console.log(`  Written to bench/results: ${name}.md, ${name}.json, ${name}.svg`);
}

/** `latest`, with the number of products where that is another; `partial` and `smoke` are not committed. */
function nameOf({ smoke, only, against, settings, products }) {
  if (smoke) return 'smoke';
  if (only || against || settings) return 'partial';
  return products === PRODUCTS ? 'latest' : `latest-${products}`;
}

const SETTINGS_TEXT = `## What settings cost

This server without a setting and with it, in turn, reading by id; *costs* is the processor time of server and PostgreSQL that a
request takes more. Differences of a few percent in both directions are noise.

`;

export const footnote = ({ products, connections, cpu, cores, node, date }) =>
  `${products.toLocaleString('en')} products, ${connections} connections · ${cpu}, ${cores} cores · Node.js ${node} · ${date.slice(0, 10)}`;

/** @param {import('./stage.mjs').Cpus} cpus */
export const pinning = ({ server, load }) =>
  server === null
    ? 'Nothing was pinned to a core.'
    : `Server on core ${server}, load and PostgreSQL on ${load}.`;

function markdown(results, settings, about) {
  const failures = [...results, ...settings]
    .filter(({ error }) => error)
    .map(({ title, error }) => `- ${title}: ${error}`);
  return `# Benchmark

${table(results)}

${failures.length > 0 ? `Failed:\n\n${failures.join('\n')}\n\n` : ''}![Throughput as a share of the baseline](${about.name}.svg)

*Work for the same CPU* is how many requests we answer in the processor time of server and PostgreSQL in which the
baseline answers one; *µs CPU* is that time for a request, server + PostgreSQL. All figures are medians over ${about.processes === 1 ? 'one pair' : `${about.processes} pairs`} of processes,
${about.rounds === 1 ? 'a round' : `${about.rounds} rounds`} of ${about.seconds} s with each${about.passes === 1 ? '' : `, spread over ${about.passes} passes`}${about.processes === 1 ? '' : ', the median of the lowest and the highest pair in brackets'}, but for *lower quartiles*:
there the lower quartile of the baseline's processor time for a request is divided by that of ours, which is usually nearer to what an idle
machine would show.
\`busy\` is how much of its core each server used (ours / baseline): well below 100%, PostgreSQL or the load was the limit.

${settings.length > 0 ? SETTINGS_TEXT + settingsTable(settings) : ''}

| | |
| --- | --- |
| Command | \`${about.command}\` |
| Date | ${about.date} |
| Machine | ${about.cpu}, ${about.cores} cores, ${about.memoryGiB} GiB, ${about.system} |
| Node.js | ${about.node} |
| Load | ${about.tool}, ${about.connections} connections. ${pinning(about.cpus)} |
| Baseline | ${about.against ? `This server with ${Object.entries(about.against).map((setting) => setting.join('='))}` : 'Fastify and `pg`'} |
| Table | ${about.products.toLocaleString('en')} products |
`;
}
