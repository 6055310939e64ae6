/** The results as tables, as JSON and as a chart. */
import { mkdir, writeFile } from 'node:fs/promises';
import { alignedTable, footnote, micros, milliseconds, percent, pinning, rate } from '../report.mjs';
import { root } from '../servers.mjs';
import { peersChart } from './chart.mjs';

/** @typedef {import('./measure.mjs').Answered} Answered */
/**
 * @typedef {object} Participant
 * @property {import('./peer.mjs').Peer} peer
 * @property {import('./install.mjs').Installed} [installed]
 * @property {string} [absent] why it could not be installed
 */

const times = (value) => (value === null ? '?' : value.toFixed(value < 10 ? 1 : 0));

/**
 * How far ahead of each peer this server is: work for the same processor time, then throughput.
 * @param {Answered[]} results
 * @param {Participant[]} participants
 */
export function peersTable(results, participants) {
  const head = ['ours, times the peer', ...results.map(({ title }) => title)];
  const rows = participants.map(({ peer: { name, title } }) => [
    title,
    ...results.map(({ ratios }) =>
      ratios ? `${times(ratios[name].work)} · ${times(ratios[name].throughput)}` : 'FAILED',
    ),
  ]);
  return alignedTable([head, ...rows]);
}

/** All figures, a line for each case and server. */
export function figuresTable(results, participants) {
  const titles = {
    ours: 'ours',
    ...Object.fromEntries(participants.map(({ peer }) => [peer.name, peer.title])),
  };
  const head = ['case', 'server', 'req/s', 'µs CPU', 'p50', 'p99', 'busy'];
  const rows = results.flatMap(({ title, figures }) =>
    Object.entries(figures ?? {}).map(([name, each]) => [
      title,
      titles[name],
      rate(each),
      micros(each),
      milliseconds(each.p50),
      milliseconds(each.p99),
      percent(each),
    ]),
  );
  return alignedTable([head, ...rows]);
}

/** @returns {string} `peers`, or for a run that shows less than that a name that is not committed */
export const reportName = ({ smoke, only, case: cases }) =>
  smoke ? 'peers-smoke' : only || cases ? 'peers-partial' : 'peers';

/**
 * Writes `<name>.json`, `<name>.md` and `<name>.svg` into `bench/results`.
 * @param {Answered[]} results
 * @param {Participant[]} participants
 * @param {Record<string, any>} about
 */
export async function writePeers(results, participants, about) {
  const directory = root('bench/results');
  await mkdir(directory, { recursive: true });
  const name = reportName(about);
  const { date, cpu, cores, memoryGiB, system, node, command, tool, cpus, products, ...settings } = about;
  const { rounds, seconds, warmup, connections } = settings;
  const conditions = { tool, cpus, products, rounds, seconds, warmup, connections };
  const versions = participants.map(({ peer, installed, absent }) => [
    peer.name,
    installed?.versions ?? { absent },
  ]);
  const json = {
    date,
    command,
    machine: { cpu, cores, memoryGiB, system, node },
    conditions,
    versions: Object.fromEntries(versions),
    results,
  };
  await writeFile(`${directory}/${name}.json`, `${JSON.stringify(json, null, 2)}\n`);
  await writeFile(`${directory}/${name}.md`, markdown(results, participants, { ...about, name }));
  await writeFile(`${directory}/${name}.svg`, peersChart(results, participants, footnote(about)));
  console.log(`  Written to bench/results: ${name}.md, ${name}.json, ${name}.svg`);
}

/** @returns {string} the page */
export function markdown(results, participants, about) {
  const present = participants.filter(({ absent }) => absent === undefined);
  const failures = [
    ...results.filter(({ error }) => error).map(({ title, error }) => `- ${title}: ${error}`),
    ...participants
      .filter(({ absent }) => absent !== undefined)
      .map(({ peer, absent }) => `- ${peer.title} could not be installed: ${absent}`),
  ];
  return `# Peers

${peersTable(results, present)}

${failures.length > 0 ? `Failed:\n\n${failures.join('\n')}\n\n` : ''}![Work for the same processor time, as a multiple of each peer's](${about.name}.svg)

The first figure is the work for the same CPU: how many requests this server answers in the processor time, its own and
PostgreSQL's, in which the peer answers one. The second is the ratio of requests per second, each server on one core, the
median over ${about.rounds} rounds of ${about.seconds} s. *µs CPU* below is the processor time of a request, server + PostgreSQL;
\`busy\` is how much of its core the server used: well below 100%, PostgreSQL or the load was the limit.

${figuresTable(results, present)}

## What is compared

${present.map(describe).join('\n')}

| | |
| --- | --- |
| Command | \`${about.command}\` |
| Date | ${about.date} |
| Machine | ${about.cpu}, ${about.cores} cores, ${about.memoryGiB} GiB, ${about.system} |
| Node.js | ${about.node}, where a peer does not say another |
| Load | ${about.tool}, ${about.connections} connections. ${pinning(about.cpus)} |
| Table | ${about.products.toLocaleString('en')} products |
`;
}

const describe = ({ peer, installed }) => {
  const versions = Object.entries(installed.versions).map(([name, version]) => `${name} ${version}`);
  return `- **${peer.title}** (${versions.join(', ')}). As documented: ${peer.documented}. Different: ${peer.differs}.`;
};
