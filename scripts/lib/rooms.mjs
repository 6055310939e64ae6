import { inRoot } from './paths.mjs';
import { runNode } from './run.mjs';

/** The files at the top of src/, which put the service together. */
export const TOP = 'src/*.ts';

/** The files of src/ and what they import, as dependency-cruiser reads it from the code. */
export async function cruise() {
  const program = inRoot('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [program, 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
  const { output } = await runNode(args, { quiet: true });
  return JSON.parse(output.slice(output.indexOf('{')));
}

/**
 * Who imports whom in src/, folder by folder.
 *
 * @param found what `cruise()` resolves to
 * @returns a map from each folder to the set of those that its files import
 */
export function roomsOf({ modules }) {
  const rooms = new Map();
  for (const { source, dependencies } of modules) {
    const room = roomOf(source);
    if (!room) continue;
    const imported = rooms.get(room) ?? new Set();
    rooms.set(room, imported);
    for (const { resolved } of dependencies) {
      const other = roomOf(resolved);
      if (other && other !== room) imported.add(other);
    }
  }
  return new Map([...rooms].sort(([a], [b]) => a.localeCompare(b)));
}

function roomOf(file) {
  const [folder, room, ...rest] = file.split('/');
  if (folder !== 'src' || !room) return undefined;
  return rest.length > 0 ? room : TOP;
}

/** How far each folder is below those that nobody imports, by the longest way. */
export function depthsOf(rooms) {
  const depths = new Map();
  const depthOf = (room) => {
    const importers = [...rooms].filter(([, imported]) => imported.has(room)).map(([name]) => name);
    if (!depths.has(room)) depths.set(room, Math.max(-1, ...importers.map(depthOf)) + 1);
    return depths.get(room);
  };
  for (const room of rooms.keys()) depthOf(room);
  return depths;
}

/** The imports that do not follow from others: what is imported by an imported folder, too, is left out. */
export function reduced(rooms) {
  const below = (room) => new Set([...rooms.get(room)].flatMap((other) => [other, ...below(other)]));
  const edges = [...rooms].flatMap(([room, imported]) => {
    const indirect = new Set([...imported].flatMap((other) => [...below(other)]));
    return [...imported].filter((other) => !indirect.has(other)).map((other) => [room, other]);
  });
  return edges.sort((a, b) => a.join().localeCompare(b.join()));
}
