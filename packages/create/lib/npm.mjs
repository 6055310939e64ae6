import { spawn } from 'node:child_process';
import { basename } from 'node:path';

const NO_NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/;

/**
 * Runs npm in a folder.
 *
 * @param signal stops npm
 * @returns the output
 * @throws Error with the reason if npm fails or is stopped
 */
export async function runNpm(folder, args, signal) {
  const { code, output } = await run(folder, [...args, '--loglevel=error'], signal);
  signal.throwIfAborted();
  if (code === 0) return output.trim();
  const [fault] = NO_NETWORK.exec(output) ?? [];
  if (fault)
    throw new Error(
      `npm cannot reach its registry (${fault}): check the network, the proxy, and the output of "npm config get registry".`,
    );
  throw new Error(`npm ${args[0]} failed:\n${output.trimEnd()}`);
}

function run(folder, args, signal) {
  // The npm that runs this program, or else the one on the path.
  const npm = process.env.npm_execpath ?? '';
  const [command, ...before] = basename(npm) === 'npm-cli.js' ? [process.execPath, npm] : ['npm'];
  const isWindows = process.platform === 'win32';
  const stdio = ['ignore', 'pipe', 'pipe'];
  const options = { cwd: folder, shell: isWindows && command === 'npm', stdio, detached: !isWindows };
  const child = spawn(command, [...before, ...args], options);
  // Kills npm with its child processes (on Windows, only npm). npm itself would take minutes to undo its installation,
  // which is deleted anyway.
  const stop = () => {
    if (isWindows) child.kill();
    else if (child.pid && (child.exitCode ?? child.signalCode) === null) process.kill(-child.pid, 'SIGKILL');
  };
  signal.addEventListener('abort', stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  // `close` follows in every case, even if npm could not be started.
  child.on('error', (error) => (output += error.message));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve({ code: code ?? 1, output });
    });
  });
}
