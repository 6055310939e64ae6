import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * Runs a program, by default in the folder of the project. Resolves to its exit code, or 128 + n if signal n ended the
 * program. Passes SIGTERM on to the program. Ctrl-C needs no passing on, because the terminal sends it to both
 * processes. `quiet` collects the output in `output` instead of showing it.
 */
export async function run(command, args, { quiet = false, env = process.env, cwd = root } = {}) {
  const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const child = spawn(command, args, { cwd, env, stdio, shell: needsShell(command) });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const pass = () => child.kill('SIGTERM');
  process.on('SIGTERM', pass);
  try {
    const code = await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (exitCode, signal) => resolve(exitCode ?? (signal === 'SIGINT' ? 130 : 143)));
    });
    return { code, output };
  } finally {
    process.off('SIGTERM', pass);
  }
}

/** Runs a JavaScript file with the Node.js of this process. */
export const runNode = (args, options) => run(process.execPath, args, options);

/** On Windows, npm is a `.cmd` file, which only a shell can run. */
const needsShell = (command) => process.platform === 'win32' && command === 'npm';
