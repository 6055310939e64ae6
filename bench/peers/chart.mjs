/**
 * A group of bars for each case, a bar for each peer: how many times its work this server does, on a logarithmic axis.
 */
import { drawing, FAINT, GRID, INK, shape, text } from '../chart.mjs';

/** How far ahead of a peer this server is to be on reads. */
const GOAL = 5;
const WIDTH = 860;
const LABELS = 210;
const PLOT = WIDTH - LABELS - 150;
const BAR = 18;
const GROUP = 34;
const TOP = 80;
const COLOURS = ['#2f855a', '#2b6cb0', '#c05621', '#6b46c1'];

/**
 * @param {import('./measure.mjs').Answered[]} results
 * @param {import('./report.mjs').Participant[]} participants
 * @param {string} footnote
 * @returns {string} an SVG document
 */
export function peersChart(results, participants, footnote) {
  const present = participants.filter(({ absent }) => absent === undefined).map(({ peer }) => peer);
  const shown = results.filter(({ ratios }) => ratios);
  const values = shown.flatMap(({ ratios }) => Object.values(ratios).map(ratioOf));
  const end = Math.max(10, ...values) * 1.2;
  const start = Math.min(1, ...values) / 1.2;
  const x = (ratio) => LABELS + (Math.log(ratio / start) / Math.log(end / start)) * PLOT;
  const bottom = TOP + shown.length * (GROUP + present.length * BAR);
  const height = bottom + 60;
  const ticks = [0.1, 1, GOAL, 10, 100, 1000].filter((ratio) => ratio >= start && ratio <= end);
  const rule = (ratio) =>
    shape('line', {
      x1: x(ratio),
      x2: x(ratio),
      y1: TOP - 8,
      y2: bottom,
      stroke: ratio === GOAL ? INK : GRID,
      'stroke-width': ratio === GOAL ? 1.5 : 1,
    });
  const parts = [
    shape('rect', { width: WIDTH, height, fill: '#ffffff' }),
    text(20, 32, 'Work for the same processor time, as a multiple of each peer’s', {
      'font-size': 17,
      'font-weight': 600,
    }),
    text(20, 52, `server and PostgreSQL together, logarithmic; the line is ${GOAL} times`, { fill: FAINT }),
    ...ticks.flatMap((ratio) => [
      rule(ratio),
      text(x(ratio), bottom + 18, String(ratio), { 'text-anchor': 'middle', fill: FAINT }),
    ]),
    ...shown.flatMap((result, index) =>
      group(result, present, TOP + index * (GROUP + present.length * BAR), { x, start }),
    ),
    rule(GOAL),
    text(20, height - 14, footnote, { fill: FAINT, 'font-size': 11 }),
  ];
  return drawing(WIDTH, height, parts);
}

/** The work; where PostgreSQL runs elsewhere and it is not known, the throughput. */
const ratioOf = ({ work, throughput }) => work ?? throughput;

function group({ title, ratios }, peers, top, { x, start }) {
  const from = x(Math.max(1, start));
  const bars = peers.flatMap(({ name, title: peer }, index) => {
    const ratio = ratioOf(ratios[name]);
    const [left, right] = [from, x(ratio)].toSorted((a, b) => a - b);
    const y = top + 18 + index * BAR;
    const bar = { x: left, y: y + 2, width: right - left, height: BAR - 4, rx: 2 };
    return [
      text(LABELS - 12, y + 13, peer, { 'text-anchor': 'end', 'font-size': 12 }),
      shape('rect', { ...bar, fill: COLOURS[index % COLOURS.length] }),
      text(right + 8, y + 13, ratio.toFixed(ratio < 10 ? 1 : 0), { 'font-weight': 600, 'font-size': 12 }),
    ];
  });
  return [text(20, top + 12, title, { 'font-weight': 600 }), ...bars];
}
