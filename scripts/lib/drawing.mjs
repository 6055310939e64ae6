/** Shapes of the architecture drawing, as SVG that is readable on light and on dark pages. */

const STYLE = `
  svg { color-scheme: light dark; }
  .page { fill: #ffffff; } .text { fill: #1f2328; } .faint { fill: #59636e; }
  .box { stroke-width: 1.2; } .edge { stroke: #59636e; fill: none; stroke-width: 1.2; } .head { fill: #59636e; }
  .top { fill: #fff8c5; stroke: #9a6700; } .feature { fill: #ddf4ff; stroke: #0969da; }
  .base { fill: #f6f8fa; stroke: #59636e; } .around { fill: #dafbe1; stroke: #1a7f37; }
  text { font: 13px ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; }
  .name { font-weight: 600; } .small { font-size: 11.5px; } .title { font-size: 16px; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; } .text { fill: #f0f6fc; } .faint { fill: #9198a1; }
    .edge { stroke: #9198a1; } .head { fill: #9198a1; }
    .top { fill: #3b2e0a; stroke: #d29922; } .feature { fill: #0c2d6b; stroke: #4493f8; }
    .base { fill: #151b23; stroke: #9198a1; } .around { fill: #0f2e1a; stroke: #3fb950; }
  }`;

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const text = (x, y, content, classes = '', anchor = 'middle') =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" class="text ${classes}">${escaped(content)}</text>`;

export const box = ({ x, y, width, height }, kind) =>
  `<rect class="box ${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="7"/>`;

/** An arrow down to a place, straight as far as `straightTo` and in a bend from there. */
export function arrow(from, to, straightTo) {
  const middle = (straightTo + to.y) / 2;
  const path = `M${from.x},${from.y} V${straightTo} C${from.x},${middle + 8} ${to.x},${middle - 8} ${to.x},${to.y - 6}`;
  return `<path class="edge" d="${path}"/><path class="head" d="M${to.x - 4},${to.y - 7} h8 l-4,7 z"/>`;
}

export const svg = (
  width,
  height,
  title,
  parts,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}
</style>
<rect class="page" width="${width}" height="${height}"/>
${parts.join('\n')}
</svg>
`;
