import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { clientFiles } from '@plinth/client/generator';

import { formatted, writeFiles } from '../project-files.js';
import { Command, readArguments } from './command.js';
import { buildDocument } from './openapi.js';

const USAGE = `plinth client [--check] [--no-build]

Writes the application's typed client, an npm package, into client/: client/src/generated/ from the OpenAPI document, and
where there is no client/package.json what stands around it. Of one that is there, only the versions follow.

  --check      writes nothing; fails where client/ is of other code than the document asks for
  --no-build   takes dist/ as it is`;

/** Without comments: another wording in the document does not make the client wrong. */
const removeComments = (text = ''): string => text.replaceAll(/\/\*\*[^]*?\*\//g, '').replaceAll(/\s+/g, ' ');

async function run(root: string, args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    check: { type: 'boolean' },
    'no-build': { type: 'boolean' },
  });
  if (positionals.length > 0) throw new Error('plinth client takes no arguments but options.');
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
    if (outdated.length > 0) throw new Error(`Not as plinth client writes it now: ${paths}.`);
    return;
  }
  const changed = files.filter(({ path, text }) => contentOf(path) !== text);
  writeFiles(root, changed);
  process.stdout.write(changed.map(({ path }) => `wrote ${path}\n`).join('') || 'client/ is current\n');
}

export const command: Command = { usage: () => USAGE, run };
