/** Installs a peer's packages, as its lock file has them, in a folder that git ignores. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../servers.mjs';

const CACHE = root('.data/bench-peers');
/** What installing leaves in the folder beside the peer's own files. */
const MADE = ['node_modules', 'dist', '.installed'];
const TIMEOUT_MS = 15 * 60_000;

/**
 * @typedef {object} Installed
 * @property {string} folder the peer's program and its `node_modules`
 * @property {string} node the program that runs it
 * @property {Record<string, string>} versions of the packages that the peer is known by
 */

/**
 * Copies a peer's files, runs `npm ci` where its lock file has changed, and its `build` where it has one.
 * @param {import('./peer.mjs').Peer} peer
 * @param {(line: string) => void} log
 * @returns {Promise<Installed>}
 * @throws {Error} with what npm says, where the packages cannot be installed
 */
export async function install(peer, log) {
  const [source, folder] = [root(`bench/peers/${peer.name}`), join(CACHE, peer.name)];
  const digest = digestOf(source);
  const done = join(folder, '.installed');
  const before = existsSync(done) ? JSON.parse(readFileSync(done, 'utf8')) : {};
  if (before.all !== digest.all) {
    await copy(source, folder);
    if (before.lock !== digest.lock) {
      log(`Installing the packages of ${peer.title}`);
      await npm(folder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
    }
    if (manifestOf(folder).scripts?.build) await npm(folder, ['run', 'build']);
    await writeFile(done, JSON.stringify(digest));
  }
  const versions = peer.packages.map((name) => [
    name,
    manifestOf(join(folder, 'node_modules', name)).version,
  ]);
  return { folder, node: nodeOf(peer, folder), versions: Object.fromEntries(versions) };
}

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function digestOf(source) {
  const hash = (files) => {
    const sum = createHash('sha256');
    for (const file of files) sum.update(file).update(readFileSync(join(source, file)));
    return sum.digest('hex');
  };
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(source.length + 1))
    .sort();
  return { all: hash(files), lock: hash(['package.json', 'package-lock.json']) };
}

/** What was there before goes, but not what npm has installed: `npm ci` itself empties that. */
async function copy(source, folder) {
  await mkdir(folder, { recursive: true });
  for (const name of readdirSync(folder))
    if (!MADE.includes(name)) await rm(join(folder, name), { recursive: true });
  await cp(source, folder, { recursive: true, filter: (file) => basename(file) !== 'peer.mjs' });
}

async function npm(folder, parameters) {
  const { NODE_ENV: _, ...env } = process.env; // `production` would leave out what a build needs
  const options = { cwd: folder, env, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 };
  try {
    await promisify(execFile)('npm', parameters, options);
  } catch (error) {
    const said = `${error.stdout ?? ''}\n${error.stderr ?? ''}`.trim().split('\n');
    const first = said.filter((line) => /^npm error\s+\S/.test(line)).slice(0, 8);
    const told = (first.length > 0 ? first : said.slice(-8)).join('\n');
    throw new Error(`npm ${parameters.join(' ')} failed: ${told || error.message}`);
  }
}

/** The Node.js of this run, or where it is too old for the peer, the one among the peer's packages. */
function nodeOf({ minimumNode = 0, title }, folder) {
  if (Number.parseInt(process.versions.node) >= minimumNode) return process.execPath;
  const own = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(own)) return own;
  throw new Error(
    `${title} needs Node.js ${minimumNode}, this is ${process.version}, and npm has none for this machine.`,
  );
}
