import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * Runs a program, in the project's folder unless another one is given, and resolves to its exit code (128 + n when a
 * signal ended it). SIGTERM to this process is passed on; Ctrl-C reaches the program by itself. `quiet` collects its
 * output in `output` instead of showing it.
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

/** Runs a JavaScript file with this very Node.js. */
export const runNode = (args, options) => run(process.execPath, args, options);

/** On Windows npm is a `.cmd` file, which only a shell runs. */
const needsShell = (command) => process.platform === 'win32' && command === 'npm';
