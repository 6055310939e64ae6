import { PRIVATE_CACHE } from '@plinth/core/dev';

import { policiesOf, Policy } from '../lists/served-lists.js';
import { Command, readArguments, say } from './command.js';
import { readDocument } from './openapi.js';
import { withProjectApp } from './project-app.js';

const USAGE = `plinth routes [--no-build] [part of a path]

Prints the routes of the project, sorted by path. A line has the method and path, the method of the controller, who may
call the route, the Cache-Control of a read by a caller with credentials, and the error codes of the route itself. The
last line has the errors that every route can answer.

  --no-build   uses dist/ as it is`;

interface Operation {
  readonly 'x-access'?: Readonly<Record<string, unknown>>;
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly examples?: object }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

/** Returns the error codes of a response. In the document, they are the names of its examples. */
function errorCodes(response: Response | undefined, document: Document): string[] {
  const { $ref, content = {} } = response ?? {};
  if ($ref !== undefined)
    return errorCodes(document.components.responses[$ref.split('/').at(-1) ?? ''], document);
  return Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
}

/** Returns who may call a route, such as `read | own` or `public`. */
function describeAccess({ access }: Policy, operation: Operation | undefined): string {
  if (access?.isPublic) return access.authenticatesCaller ? 'public, with a caller' : 'public';
  const { permission, ...flags } = operation?.['x-access'] ?? { permission: access?.permission };
  return [permission, ...Object.keys(flags)].join(' | ');
}

/** Returns a line for each route, and one for the errors that every route can answer. */
export function formatRoutes(policies: ReadonlyMap<string, Policy>, document: Document): string[] {
  const common = new Set(errorCodes(document.components.responses['CommonError'], document));
  const rows = [...policies]
    .filter(([, { handler }]) => handler !== undefined)
    .map(([name, policy]) => {
      const [method = '', path = ''] = name.split(' ');
      const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      const errors = Object.entries(operation?.responses ?? {}).flatMap(([status, response]) =>
        Number(status) >= 400 ? errorCodes(response, document) : [],
      );
      const own = [...new Set(errors)].filter((code) => !common.has(code));
      const cache = method === 'GET' ? (policy.cache ?? PRIVATE_CACHE).withCredentials : '-';
      return [method, path, policy.handler ?? '', describeAccess(policy, operation), cache, own.join(' ')];
    })
    // Fastify adds a HEAD route to each GET route.
    .filter(([method]) => method !== 'HEAD')
    .sort(
      ([methodA = '', a = ''], [methodB = '', b = '']) =>
        a.localeCompare(b) || methodA.localeCompare(methodB),
    );
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, `Every route: ${[...common].join(' ')}`];
}

async function run(root: string, args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, { 'no-build': { type: 'boolean' } });
  const [part = '', ...others] = positionals;
  if (others.length > 0) throw new Error('plinth routes must have at most one part of a path.');
  const lines = await withProjectApp(root, values, async (app) => {
    const document = JSON.parse(await readDocument(app)) as Document;
    return formatRoutes(new Map([...policiesOf(app.nest)].filter(([name]) => name.includes(part))), document);
  });
  say(lines.join('\n'));
}

export const command: Command = { usage: () => USAGE, run };
