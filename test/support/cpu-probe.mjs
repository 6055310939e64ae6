import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

// Preloaded into a service under test (`NODE_OPTIONS=--import`). Tells clients of the socket that `CPU_PROBE`
// names how many milliseconds of CPU the main thread, which runs the event loop, has used. Other processes do
// not count, nor do threads that hash passwords or collect garbage.

function mainThreadMs() {
  if (process.threadCpuUsage) {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  }
  if (process.platform === 'linux')
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

createServer((socket) => socket.end(String(mainThreadMs())))
  .listen(process.env.CPU_PROBE)
  .unref();
