/** Puts load on a server, with `wrk` if it is on the PATH, or else with autocannon. */
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pinned } from './pinning.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A header with this value gets another, unique value in each request of all loads. */
export const UNIQUE = '<unique>';

/** @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: string }} Request */
/**
 * @typedef {object} LoadResult
 * @property {number} requestsPerSecond
 * @property {number} seconds the actual duration
 * @property {number} p50 milliseconds
 * @property {number} p99 milliseconds
 * @property {string | null} error the failures, or null. A load with failures must not count as fast
 */

/** @returns {'wrk' | 'autocannon'} */
export const loadTool = () => (spawnSync('wrk', ['-v']).error ? 'autocannon' : 'wrk');

/**
 * Sends the requests in turn for the given time. Each connection waits for a response before its next request.
 * @param {{ tool: string, cpus: string | null, directory: string, url: string, requests: Request[],
 *   connections: number, seconds: number, expectedStatus: number }} job `wrk` treats only 400 and above as unexpected,
 *   because checking each status would take it longer than a server needs for a 304.
 * @returns {Promise<LoadResult>}
 */
export async function load(job) {
  const command = await (job.tool === 'wrk' ? wrkCommand : autocannonCommand)(
    job,
    join(job.directory, 'load-job'),
  );
  const [program, ...parameters] = pinned(job.cpus, command);
  const { stdout } = await promisify(execFile)(program, parameters);
  return toResult(JSON.parse(job.tool === 'wrk' ? stdout.split('RESULT ')[1] : stdout), job);
}

async function wrkCommand(job, file) {
  const { url, requests, connections, seconds } = job;
  const { host } = new URL(url);
  const wire = requests.map((request) => Buffer.from(onTheWire(request, host)));
  await writeFile(file, Buffer.concat(wire.flatMap((bytes) => [Buffer.from(`${bytes.length}\n`), bytes])));
  const unique = [UNIQUE, randomBytes(6).toString('hex')];
  const size = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', `${Math.max(10, seconds)}s`];
  return ['wrk', ...size, '-s', here('load.lua'), url, '--', file, ...unique];
}

async function autocannonCommand(job, file) {
  await writeFile(file, JSON.stringify({ ...job, unique: UNIQUE }));
  return [process.execPath, here('load-autocannon.mjs'), file];
}

function onTheWire({ method = 'GET', path, headers = {}, body }, host) {
  const all = {
    host,
    ...headers,
    ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

function toResult({ requests, seconds, p50, p99, ...faults }, { expectedStatus }) {
  const errors = [];
  if (faults.unexpected > 0)
    errors.push(`${faults.unexpected} responses did not have status ${expectedStatus}`);
  if (faults.socketErrors > 0) errors.push(`${faults.socketErrors} connections failed or timed out`);
  return { requestsPerSecond: requests / seconds, seconds, p50, p99, error: errors.join('; ') || null };
}
