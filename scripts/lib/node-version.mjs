const MINIMUM = [20, 19];

/** Ends the process with one line when this Node.js is too old. Import it before anything else. */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  console.error(
    `This project needs Node.js ${MINIMUM.join('.')} or newer; this is ${process.versions.node}.`,
  );
  process.exit(1);
}
