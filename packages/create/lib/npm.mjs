import { spawn } from 'node:child_process';
import { basename } from 'node:path';

const NO_NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/;

/** Runs npm in a folder, until it ends or is stopped by `signal`. @returns what it says @throws Error that says why it failed */
export async function runNpm(folder, args, signal) {
  const { code, output } = await run(folder, [...args, '--loglevel=error'], signal);
  signal.throwIfAborted();
  if (code === 0) return output.trim();
  const [fault] = NO_NETWORK.exec(output) ?? [];
  if (fault)
    throw new Error(
      `npm does not reach its registry (${fault}): check the network, the proxy, and what "npm config get registry" says.`,
    );
  throw new Error(`npm ${args[0]} failed:\n${output.trimEnd()}`);
}

function run(folder, args, signal) {
  // The npm that runs this, else the one on the path.
  const npm = process.env.npm_execpath ?? '';
  const [command, ...before] = basename(npm) === 'npm-cli.js' ? [process.execPath, npm] : ['npm'];
  const isWindows = process.platform === 'win32';
  const stdio = ['ignore', 'pipe', 'pipe'];
  const options = { cwd: folder, shell: isWindows && command === 'npm', stdio, detached: !isWindows };
  const child = spawn(command, [...before, ...args], options);
  // With what npm has started (on Windows, npm alone): it would go on for minutes to undo what is removed anyway.
  const stop = () => {
    if (isWindows) child.kill();
    else if (child.pid && (child.exitCode ?? child.signalCode) === null) process.kill(-child.pid, 'SIGKILL');
  };
  signal.addEventListener('abort', stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  // It is closed once it has ended, where it was stopped or could not be started too.
  child.on('error', (error) => (output += error.message));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve({ code: code ?? 1, output });
    });
  });
}
