#!/usr/bin/env node
// Checks the version of Node.js before it imports code that an older version cannot load.
const MINIMUM = [20, 19];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  console.error(
    `create-plinth needs Node.js ${MINIMUM.join('.')} or newer; this is ${process.versions.node}.`,
  );
  process.exitCode = 1;
} else {
  const { main } = await import('./lib/main.mjs');
  process.exitCode = await main(process.argv.slice(2));
}
