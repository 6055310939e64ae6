const MINIMUM = [20, 19];

/** Exits with one line if this Node.js is too old. Import this file before any other. */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  console.error(
    `This project needs Node.js ${MINIMUM.join('.')} or newer; this is ${process.versions.node}.`,
  );
  process.exit(1);
}
