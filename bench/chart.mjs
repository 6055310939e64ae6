/** A bar for each case, its length the ratio to the baseline, and a line where both are equal. */

const WIDTH = 860;
const LABELS = 290;
const PLOT = WIDTH - LABELS - 130;
const ROW = 36;
const BAR = 20;
const VALUE = 120;
const TOP = 74;
export const INK = '#1f2933';
export const FAINT = '#7b8794';
export const GRID = '#e4e7eb';
const FASTER = '#2f855a';
const SLOWER = '#c05621';
const FAILED = '#9b2c2c';

const escape = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const attributes = (values) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
export const shape = (name, values) => `<${name}${attributes(values)}/>`;
export const text = (x, y, content, values = {}) =>
  `<text${attributes({ x, y, ...values })}>${escape(content)}</text>`;
const vertical = (x, bottom, stroke, width) =>
  shape('line', { x1: x, x2: x, y1: TOP - 8, y2: bottom, stroke, 'stroke-width': width });

/**
 * @param {import('./measure.mjs').Result[]} results
 * @param {string} footnote
 * @returns {string} an SVG document
 */
export function chart(results, footnote) {
  const { end, step } = axis(Math.max(1, ...results.map(({ ratio }) => ratio ?? 0)));
  const x = (ratio) => LABELS + (ratio / end) * PLOT;
  const bottom = TOP + results.length * ROW;
  const height = bottom + 62;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
  const tick = (value) => [
    vertical(x(value), bottom, GRID, 1),
    text(x(value), bottom + 18, value.toFixed(step < 0.5 ? 2 : 1), { 'text-anchor': 'middle', fill: FAINT }),
  ];
  const parts = [
    shape('rect', { width: WIDTH, height, fill: '#ffffff' }),
    text(20, 32, 'Requests per second, as a share of raw Fastify + pg', {
      'font-size': 17,
      'font-weight': 600,
    }),
    text(20, 52, 'one process on one core; longer is faster, the line is the baseline', { fill: FAINT }),
    ...ticks.flatMap(tick),
    ...results.flatMap((result, index) => row(result, TOP + index * ROW, x)),
    vertical(x(1), bottom, INK, 1.5),
    text(20, height - 14, footnote, { fill: FAINT, 'font-size': 11 }),
  ];
  return drawing(WIDTH, height, parts);
}

/** @param {number} width @param {number} height @param {string[]} parts @returns {string} an SVG document */
export function drawing(width, height, parts) {
  const font = { 'font-family': 'system-ui, sans-serif', 'font-size': 13, fill: INK };
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  const root = attributes({ xmlns: 'http://www.w3.org/2000/svg', role: 'img', ...size, ...font });
  return `<svg${root}>\n${parts.join('\n')}\n</svg>\n`;
}

function row({ title, error, ratio, ours }, top, x) {
  const middle = top + 19;
  const label = text(LABELS - 12, middle, title, { 'text-anchor': 'end' });
  if (error) return [label, text(LABELS + 8, middle, 'failed', { fill: FAILED, 'font-weight': 600 })];
  const end = Math.round(x(ratio));
  const isNearLine = ratio < 1 && x(1) - end < VALUE; // the value would be crossed by the line: put it behind
  const value = `${ratio.toFixed(2)}  ·  ${Math.round(ours.requestsPerSecond).toLocaleString('en')}/s`;
  const bar = { x: LABELS, y: top + 4, width: end - LABELS, height: BAR, rx: 2 };
  return [
    label,
    shape('rect', { ...bar, fill: ratio >= 1 ? FASTER : SLOWER }),
    text((isNearLine ? x(1) : end) + 8, middle, value, { 'font-weight': 600 }),
  ];
}

/** A round end above the longest bar, and ticks that divide it. */
function axis(longest) {
  const step = [0.25, 0.5, 1, 2, 5, 10].find((size) => longest / size <= 6) ?? 20;
  return { step, end: Math.ceil((longest * 1.1) / step) * step };
}
