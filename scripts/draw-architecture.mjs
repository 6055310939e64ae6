/**
 * `npm run architecture`: draws docs/architecture.svg from the code: the folders of src/ by what they import, and the
 * way of a request by the hooks that `src/pipeline.ts` registers. `--check` compares, and writes nothing; `--cruised`
 * takes what dependency-cruiser has found, as JSON, from standard input.
 */
import './lib/node-version.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { arrow, box, svg, text } from './lib/drawing.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { cruise, depthsOf, reduced, roomsOf, TOP } from './lib/rooms.mjs';

const FILE = 'docs/architecture.svg';

/** The purpose of each folder. A folder without one is a module that a team has added. */
const PURPOSES = {
  [TOP]: 'puts the service together',
  auth: 'who calls',
  users: 'accounts',
  products: 'the reference module',
  orders: 'orders and their items',
  reviews: 'what users say',
  grants: 'exceptions to roles',
  operations: 'health, shutdown',
  docs: 'the OpenAPI document',
  websockets: 'gateways',
  routes: 'ordinary NestJS routes',
  resources: 'what modules are made of',
  lists: 'paging, filters, sorts',
  access: 'what callers may do',
  database: 'PostgreSQL',
  fields: 'declared once',
  http: 'what every request passes',
  redis: 'shared by instances',
  telemetry: 'numbers, for metrics',
  workers: 'processes of one service',
  config: 'settings, the name',
};
const AROUND = ['operations', 'workers', 'docs', 'auth'];
const BASE = [
  'websockets',
  'routes',
  'resources',
  'lists',
  'access',
  'database',
  'fields',
  'http',
  'redis',
  'telemetry',
  'config',
];

/** The steps of a request, by the call of `registerPipeline()` that adds each, and what they refuse with. */
const HOOKS = {
  registerAvailability: ['maintenance, TLS', '503 403'],
  registerAddresses: ["the address's count", '429'],
  registerTargetChecks: ['request line, Host', '400 414'],
  registerVersions: ['version served', '410'],
  registerAuthentication: ['who calls', '401'],
  registerCallers: ["the caller's count", '429'],
  registerSameOrigin: ['a cookie that writes', '403'],
  registerAccess: ['role, key, grants', '403'],
  registerNegotiation: ['what is accepted', '406'],
  registerUnmatched: ['path and method', '404 405'],
};
/** Calls that are no step of their own, or stand elsewhere below. */
const NO_STEPS = [
  'registerExchanges',
  'registerForwardedFor',
  'registerPolicies',
  'registerJsonBody',
  'registerHeaders',
  'registerCaching',
  'registerUploads',
  'registerReplicaReads',
];
const BEFORE = [['room for one more?', '503']];
const AFTER = [
  ['body', '415 413 400'],
  ['unknown query', '400'],
  ['path, query, body', '400 422'],
  ['the row', '404 412 409'],
];

/** Room for six folders beside each other; more make it wider. */
const MIN_WIDTH = 1120;
const MARGIN = 24;
const BOX = { width: 166, height: 46 };
const ROW = 80;

process.chdir(root);
const drawing = await draw();
if (process.argv.includes('--check')) {
  if (readFileSync(inRoot(FILE), 'utf8') !== drawing) {
    console.error(`${FILE} is out of date: npm run architecture`);
    process.exitCode = 1;
  }
} else writeFileSync(inRoot(FILE), drawing);

async function draw() {
  const isCruised = process.argv.includes('--cruised');
  const rooms = roomsOf(isCruised ? JSON.parse(readFileSync(0, 'utf8')) : await cruise());
  const width = widthFor(rooms);
  const places = placesOf(rooms, width);
  const bottom = Math.max(...[...places.values()].map(({ y }) => y + BOX.height));
  const way = wayOfRequest(bottom + 74, width);
  return svg(width, way.bottom + MARGIN, 'The folders of src/, and the way of a request', [
    text(MARGIN, 32, 'Folders of src/ and what they import', 'title', 'start'),
    text(
      MARGIN,
      52,
      'An arrow stands for imports. Arrows that follow from others are left out.',
      'small faint',
      'start',
    ),
    ...reduced(rooms).map(([from, to]) => between(places.get(from), places.get(to))),
    ...[...places].map(([room, place]) => roomBox(room, place)),
    ...way.parts,
  ]);
}

function widthFor(rooms) {
  const counts = new Map();
  for (const depth of depthsOf(rooms).values()) counts.set(depth, (counts.get(depth) ?? 0) + 1);
  return Math.max(MIN_WIDTH, 2 * MARGIN + Math.max(...counts.values()) * (BOX.width + 15) - 15);
}

/** A row for each depth; within a row, what imports a row further down stands outside. */
function placesOf(rooms, width) {
  const depths = depthsOf(rooms);
  const places = new Map();
  for (let depth = 0; depth <= Math.max(...depths.values()); depth += 1) {
    const row = [...depths].filter(([, other]) => other === depth).map(([room]) => room);
    const nearest = (room) => Math.min(...[...rooms.get(room)].map((other) => depths.get(other)), Infinity);
    row.sort((a, b) => nearest(a) - nearest(b) || a.localeCompare(b));
    const ordered = row.reduce((line, room, i) => (i % 2 === 0 ? [...line, room] : [room, ...line]), []);
    const gap = Math.min(40, (width - 2 * MARGIN - row.length * BOX.width) / Math.max(1, row.length - 1));
    const left = (width - row.length * BOX.width - (row.length - 1) * gap) / 2;
    for (const [i, room] of ordered.entries())
      places.set(room, { x: Math.round(left + i * (BOX.width + gap)), y: 76 + depth * ROW, ...BOX });
  }
  return places;
}

function between(from, to) {
  const x = (place) => place.x + place.width / 2;
  const shift = Math.sign(x(to) - x(from)) * 26;
  const start = { x: x(from) + shift, y: from.y + from.height };
  return arrow(start, { x: x(to) - shift, y: to.y }, to.y - (ROW - BOX.height));
}

function roomBox(room, place) {
  const kind =
    room === TOP ? 'top' : AROUND.includes(room) ? 'around' : BASE.includes(room) ? 'base' : 'feature';
  const x = place.x + place.width / 2;
  const name = room === TOP ? TOP : `${room}/`;
  return (
    box(place, kind) +
    text(x, place.y + 19, name, 'name') +
    text(x, place.y + 36, PURPOSES[room] ?? 'a module', 'small faint')
  );
}

/** The hooks in the order in which the code registers them. @throws Error for one that this drawing does not know */
function hooks() {
  const source = readFileSync(inRoot('src/pipeline.ts'), 'utf8');
  const body = source.slice(
    source.indexOf('export async function registerPipeline'),
    source.indexOf('/** Lets headers'),
  );
  const calls = [...body.matchAll(/\b(register[A-Z]\w+)\(/g)].map(([, name]) => name).slice(1);
  const unknown = calls.find((name) => !HOOKS[name] && !NO_STEPS.includes(name));
  if (unknown)
    throw new Error(`${unknown}() of src/pipeline.ts has no place in HOOKS of scripts/draw-architecture.mjs`);
  return calls.filter((name) => HOOKS[name]).map((name) => HOOKS[name]);
}

function wayOfRequest(top, total) {
  const steps = [...BEFORE, ...hooks(), ...AFTER, ['response', '200 201 204 304']];
  const inRow = 5;
  const gap = 40;
  const width = (total - 2 * MARGIN - (inRow - 1) * gap) / inRow;
  const parts = [
    text(MARGIN, top - 18, 'The way of a request: each step, and what it refuses with', 'title', 'start'),
  ];
  for (const [i, [what, statuses]] of steps.entries()) {
    const row = Math.floor(i / inRow);
    const place = { x: MARGIN + (i % inRow) * (width + gap), y: top + row * 66, width, height: 46 };
    const kind = i === steps.length - 1 ? 'top' : i < steps.length - 1 - AFTER.length ? 'around' : 'base';
    parts.push(box(place, kind), text(place.x + width / 2, place.y + 19, `${i + 1}. ${what}`, 'name'));
    parts.push(text(place.x + width / 2, place.y + 36, statuses, 'small faint'));
    if (i === steps.length - 1 || i % inRow === inRow - 1) continue;
    const y = place.y + 23;
    parts.push(`<path class="edge" d="M${place.x + width},${y} h${gap - 7}"/>`);
    parts.push(`<path class="head" d="M${place.x + width + gap - 8},${y - 4} v8 l7,-4 z"/>`);
  }
  const rows = Math.ceil(steps.length / inRow);
  const end = top + rows * 66;
  parts.push(
    text(
      MARGIN,
      end + 6,
      'Green: hooks before the body is read (src/pipeline.ts). Grey: the route, its parameters, the repository.',
      'small faint',
      'start',
    ),
  );
  return { parts, bottom: end + 6 };
}
