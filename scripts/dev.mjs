/**
 * `npm run start:dev`: compiles on every change and restarts the server after each compilation without errors.
 * Type errors are shown and leave the last good server running.
 */
import './lib/node-version.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { copyAssets, MAIN, prepareOutput } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root } from './lib/paths.mjs';

process.chdir(root);
await ensureInstalled();
prepareOutput();
copyAssets();

let server;
let ending = false;
let restarting = Promise.resolve();
const restart = () => (restarting = restarting.then(replaceServer));

// The executable itself: below Node.js 22.15, its launcher does not pass signals on.
const { default: getExePath } = await import('../node_modules/typescript-native/lib/getExePath.js');
const compiler = spawn(getExePath(), ['-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
createInterface(compiler.stdout).on('line', (line) => {
  if (line.includes('Found 0 errors')) restart();
  else if (/: error TS/.test(line)) console.error(line);
});

// Ctrl-C reaches the server and the compiler by itself; a signal to this process alone does not.
process.on('SIGINT', () => end());
process.on('SIGTERM', () => end('SIGTERM'));

async function replaceServer() {
  await stopServer('SIGTERM');
  if (ending) return;
  server = spawn(process.execPath, ['--enable-source-maps', MAIN], { stdio: 'inherit' });
}

async function stopServer(signal) {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  if (signal) server.kill(signal);
  await once(server, 'exit');
}

async function end(signal) {
  if (ending) return;
  ending = true;
  compiler.kill();
  await restarting;
  await stopServer(signal);
  process.exit(0);
}
