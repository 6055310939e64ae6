/** What requests cost by the number of products: a table, JSON and a plot. */
import { mkdir, writeFile } from 'node:fs/promises';
import { alignedTable } from './report.mjs';
import { root } from './servers.mjs';

/** @typedef {Awaited<ReturnType<import('./measure.mjs').measureInTurn>>[number]} Measured */
/** @typedef {{ products: number, cases: Measured[] }} Size */

const WIDTH = 860;
const LEFT = 60;
const RIGHT = 290;
const TOP = 70;
const HEIGHT = 470;
const COLOURS = [
  '#2f855a',
  '#2b6cb0',
  '#c05621',
  '#6b46c1',
  '#b83280',
  '#00838f',
  '#7b8794',
  '#9b2c2c',
  '#744210',
  '#d69e2e',
  '#38b2ac',
  '#4a5568',
  '#ed64a6',
  '#1a202c',
];

const count = (rows) => rows.toLocaleString('en');
const costOf = ({ ours }) => (ours ? ours.serverMicros + (ours.databaseMicros ?? 0) : null);

/** The costs of each case, from the smallest number of products to the largest; null where it failed. */
function costs(sizes) {
  const [first] = sizes;
  return first.cases.map(({ name, title }) => ({
    title,
    costs: sizes.map(({ cases }) => costOf(cases.find((each) => each.name === name))),
  }));
}

const growthOf = (all, index) => (all[0] === null || all[index] === null ? null : all[index] / all[0]);

/** @param {Size[]} sizes */
export function growthTable(sizes) {
  const head = [
    'µs of CPU a request',
    ...sizes.flatMap(({ products }, index) => [count(products), ...(index > 0 ? ['growth'] : [])]),
  ];
  const rows = costs(sizes).map(({ title, costs: all }) => [
    title,
    ...all.flatMap((cost, index) => [
      cost === null ? 'FAILED' : String(Math.round(cost)),
      ...(index > 0 ? [growthOf(all, index)?.toFixed(2) ?? ''] : []),
    ]),
  ]);
  return alignedTable([head, ...rows]);
}

/**
 * Writes `growth.md`, `growth.json` and `growth.svg` into `bench/results`.
 * @param {Size[]} sizes
 */
export async function writeGrowth(sizes, about) {
  const directory = root('bench/results');
  await mkdir(directory, { recursive: true });
  const { date, cpu, cores, memoryGiB, system, node, command, ...conditions } = about;
  const json = { date, command, machine: { cpu, cores, memoryGiB, system, node }, conditions, sizes };
  await writeFile(`${directory}/growth.json`, `${JSON.stringify(json, null, 2)}\n`);
  await writeFile(`${directory}/growth.svg`, plot(sizes));
  const facts = `\`${command}\`, ${date}. ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node.js ${node}.`;
  await writeFile(
    `${directory}/growth.md`,
    `# Cost by number of products

${growthTable(sizes)}

Processor time of server and PostgreSQL together; medians over ${about.processes} sets of processes, ${about.rounds} rounds of
${about.seconds} s with each, ${about.connections} connections.
*Growth* is the cost as a multiple of that with the fewest products.

![Cost by number of products](growth.svg)

${facts}
`,
  );
  console.log('  Written to bench/results: growth.md, growth.json, growth.svg');
}

/** Cost as a multiple of that with the fewest products, over the logarithm of their number. */
function plot(sizes) {
  const logs = sizes.map(({ products }) => Math.log10(products));
  const span = logs.at(-1) - logs[0] || 1;
  const lines = costs(sizes).filter((line) => line.costs.every((cost) => cost !== null));
  const end =
    Math.max(1.5, ...lines.flatMap((line) => line.costs.map((cost) => cost / line.costs[0]))) * 1.05;
  const x = (index) => LEFT + ((logs[index] - logs[0]) / span) * (WIDTH - LEFT - RIGHT);
  const y = (ratio) => HEIGHT - 50 - (ratio / end) * (HEIGHT - 50 - TOP);
  const text = (at, content, values = '') => `<text x="${at[0]}" y="${at[1]}" ${values}>${content}</text>`;
  const rule = (ratio, stroke) =>
    `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(ratio)}" y2="${y(ratio)}" stroke="${stroke}"/>`;
  const ticks = [0, 0.5, 1, 1.25, 2, 3, 5, 10, 50, 100].filter((ratio) => ratio <= end);
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(
      [20, 30],
      'CPU of a request, as a multiple of that with the fewest products',
      'font-size="17" font-weight="600"',
    ),
    text([20, 50], 'server and PostgreSQL together; flat is good', 'fill="#7b8794"'),
    ...ticks.map(
      (ratio) => rule(ratio, ratio === 1 ? '#1f2933' : '#e4e7eb') + text([20, y(ratio) + 4], ratio),
    ),
    ...sizes.map(({ products }, index) =>
      text([x(index), HEIGHT - 26], count(products), 'text-anchor="middle"'),
    ),
    text([(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8], 'products', 'text-anchor="middle" fill="#7b8794"'),
  ];
  lines.forEach(({ title, costs: all }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const points = all.map((cost, at) => `${x(at)},${y(cost / all[0])}`).join(' ');
    const row = TOP + 10 + index * 24;
    parts.push(
      `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      `<line x1="${WIDTH - RIGHT + 16}" x2="${WIDTH - RIGHT + 40}" y1="${row - 4}" y2="${row - 4}" stroke="${colour}" stroke-width="2"/>`,
      text(
        [WIDTH - RIGHT + 48, row],
        `${title.slice(0, 30)} · ${growthOf(all, all.length - 1).toFixed(2)}`,
        'font-size="12"',
      ),
    );
  });
  const size = `width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"`;
  const font = 'font-family="system-ui, sans-serif" font-size="13" fill="#1f2933"';
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" ${size} ${font}>\n${parts.join('\n')}\n</svg>\n`;
}
