import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { clientFiles } from '@plinth/client/generator';

import { formatted, writeFiles } from '../project-files.js';
import { Command, readArguments } from './command.js';
import { buildDocument } from './openapi.js';

const USAGE = `plinth client [--check] [--no-build]

Writes the application's typed client, an npm package, to client/. It generates client/src/generated/ from the OpenAPI
document. If there is no client/package.json, it also writes the other files of the package; if there is one, it updates
only the versions in it.

  --check      writes nothing; fails if the code in client/ does not match the document
  --no-build   uses dist/ as it is`;

/** `--check` ignores comments, because a client is not wrong if only the wording of the document has changed. */
const removeComments = (text = ''): string => text.replaceAll(/\/\*\*[^]*?\*\//g, '').replaceAll(/\s+/g, ' ');

async function run(root: string, args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    check: { type: 'boolean' },
    'no-build': { type: 'boolean' },
  });
  if (positionals.length > 0) throw new Error('plinth client must not have arguments, only options.');
  const document = JSON.parse(await buildDocument(root, values)) as object;
  const contentOf = (path: string): string | undefined =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
  const texts = clientFiles(document, { manifest: contentOf('client/package.json') });
  const files = await formatted(
    root,
    [...texts].map(([path, text]) => ({ path: `client/${path}`, text })),
  );
  if (values.check) {
    const outdated = files.filter(
      ({ path, text }) => removeComments(contentOf(path)) !== removeComments(text),
    );
    const paths = outdated.map(({ path }) => path).join(', ');
    if (outdated.length > 0) throw new Error(`Run plinth client: it would change ${paths}.`);
    return;
  }
  const changed = files.filter(({ path, text }) => contentOf(path) !== text);
  writeFiles(root, changed);
  process.stdout.write(changed.map(({ path }) => `wrote ${path}\n`).join('') || 'client/ is current\n');
}

export const command: Command = { usage: () => USAGE, run };
