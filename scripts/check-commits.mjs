/**
 * `npm run commits:check` fails if a commit since the rule began has a subject longer than 72 characters, because
 * `git log --oneline` and review pages cut it off. In a shallow clone, it checks the available commits.
 */
import { execFileSync } from 'node:child_process';

const LONGEST = 72;
/** The last commit before the rule began. */
const BEFORE = 'b73e80f9599db783a3cb4317a788fbead1f3e658';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const subjects = git('log', '--no-merges', '--format=%h %s', ...newCommits())
  .trim()
  .split('\n')
  .filter(Boolean);
const tooLong = subjects.filter((line) => [...line.replace(/^\S+ /, '')].length > LONGEST);
for (const line of tooLong) console.log(`FAIL ${line}`);
console.log(`${subjects.length - tooLong.length} passed, ${tooLong.length} failed`);
process.exitCode = tooLong.length > 0 ? 1 : 0;

/** Returns the range of the new commits, or only `HEAD` if the history does not reach back that far. */
function newCommits() {
  try {
    git('merge-base', '--is-ancestor', BEFORE, 'HEAD');
    return [`${BEFORE}..HEAD`];
  } catch {
    return ['HEAD', '--max-count=1'];
  }
}
