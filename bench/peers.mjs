/**
 * `npm run bench:peers`: this server beside frameworks that do the same work, on one PostgreSQL and the same products.
 * `--help` lists the options.
 */
import { loadTool } from './load.mjs';
import { install } from './peers/install.mjs';
import { measureQuestion } from './peers/measure.mjs';
import { readPeerOptions } from './peers/options.mjs';
import { peers } from './peers/peers.mjs';
import { questions } from './peers/questions.mjs';
import { peersTable, writePeers } from './peers/report.mjs';
import { machine } from './report.mjs';
import { log, measureCases, onStage, settleCpus } from './stage.mjs';

const options = readPeerOptions(process.argv.slice(2), peers, questions);

try {
  process.exitCode = (await bench()) ? 0 : 1;
} catch (error) {
  console.error(`\nThe benchmark could not run: ${error.message}`);
  process.exitCode = 1;
}

async function bench() {
  const selected = peers.filter(({ name }) => options.only?.includes(name) ?? true);
  const participants = await prepare(selected);
  const present = participants.filter(({ absent }) => absent === undefined);
  if (options.install) return present.length === participants.length;
  if (present.length === 0) throw new Error('no peer could be installed');
  const settled = {
    ...options,
    tool: loadTool(),
    cpus: settleCpus({ server: '0', load: '1' }),
  };
  const asked = questions.filter(({ name }) => options.case?.includes(name) ?? true);
  const { results, products } = await measureAll(present, asked, settled);
  console.log(`\n${peersTable(results, present)}\n`);
  await writePeers(results, participants, { ...machine(), ...settled, products });
  return present.length === participants.length && results.every(({ error }) => !error);
}

/** @returns {Promise<import('./peers/report.mjs').Participant[]>} those that cannot be installed with the reason */
async function prepare(selected) {
  const participants = [];
  for (const peer of selected) {
    try {
      participants.push({ peer, installed: await install(peer, log) });
    } catch (error) {
      console.error(`  ${peer.title} cannot be installed here: ${error.message}`);
      participants.push({ peer, absent: error.message });
    }
  }
  return participants;
}

function measureAll(participants, asked, settled) {
  const starts = participants.map(({ peer, installed }) => [
    peer.name,
    (place, client) => {
      log(`Starting ${peer.title}`);
      return peer.start(place, client, installed);
    },
  ]);
  const stageOptions = {
    products: settled.products,
    cpus: settled.cpus,
    ownDatabase: true,
    others: Object.fromEntries(starts),
  };
  return onStage(stageOptions, async (stage) => {
    const some = participants.map(({ peer }) => peer);
    const one = (question) => measureQuestion(question, stage, some, settled);
    return { results: await measureCases(asked, stage, one, summaryOf), products: stage.subjects.products };
  });
}

function summaryOf({ ratios }) {
  return Object.entries(ratios)
    .map(([name, { work }]) => `${name} ${work === null ? '?' : work.toFixed(1)}`)
    .join(', ');
}
