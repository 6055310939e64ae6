import { loadConfig } from '@plinth/core/dev';
import { DataSource } from 'typeorm';

import { explainList } from '../lists/list-costs.js';
import { policiesOf, ServedList, servedLists } from '../lists/served-lists.js';
import { Command, readArguments, say } from './command.js';
import { withProjectApp } from './project-app.js';
import { withProjectDatabase } from './project-database.js';

const USAGE = `plinth explain <list> [--top <n>] [--no-build]

Prints the most expensive queries of a list on the database of DATABASE_URL or, if it is not set, on the embedded one. It
runs each filter by itself, with each sort, both styles of paging and several positions. The values come from the
statistics of the table: common, rare and absent ones. It only reads.

  --top <n>    how many queries it prints (default 20)
  --no-build   uses dist/ as it is`;

/** Returns the list of a name, once for each set of properties that routes fix. @throws Error for an unknown name */
export function findLists(name: string, served: readonly ServedList[]): [ServedList, ...ServedList[]] {
  const [first, ...others] = served.filter(({ list }) => list.name === name);
  if (first) return [first, ...others];
  const names = new Set(served.map(({ list }) => list.name));
  throw new Error(`Unknown list ${name}: the lists are ${[...names].sort().join(', ')}.`);
}

async function run(root: string, args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    top: { type: 'string', default: '20' },
    'no-build': { type: 'boolean' },
  });
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0)
    throw new Error('plinth explain needs the name of one list, such as plinth explain products.');
  if (!/^[1-9]\d{0,3}$/.test(values.top))
    throw new Error(`--top must be a whole number from 1 to 9999 (got ${values.top}).`);
  const config = loadConfig();
  await withProjectApp(root, values, async ({ nest }) => {
    const lists = findLists(name, servedLists(policiesOf(nest)));
    const metadata = nest.get(DataSource).getMetadata(lists[0].list.entity);
    const options = { top: Number(values.top), timeoutMs: config.database.statementTimeoutMs };
    const texts = await withProjectDatabase(config, (url) => explainList(url, lists, metadata, options));
    say(texts.join('\n'));
  });
}

export const command: Command = { usage: () => USAGE, run };
