import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What was started and has to be ended, the latest first; `Scope.whole` is that of the run. */
export class Scope {
  static whole = new Scope();
  #undo = [];

  /** Has `work` done at the end of the scope. It may be done before, and is then safe to do again. */
  defer(work) {
    this.#undo.push(work);
  }

  async end() {
    while (this.#undo.length > 0) {
      try {
        await this.#undo.pop()();
      } catch (error) {
        console.error(`cleaning up: ${error.message}`);
      }
    }
  }
}

/** What can still be done while the process exits, whatever made it exit: only what takes no waiting. */
const lastResorts = new Set();

/** @returns what takes it back */
export function atExit(work) {
  lastResorts.add(work);
  return () => lastResorts.delete(work);
}

process.on('exit', () => {
  for (const work of [...lastResorts].reverse()) {
    try {
      work();
    } catch (error) {
      console.error(`cleaning up: ${error.message}`);
    }
  }
});

/** A folder that is gone, with all that is in it, at the end of the scope or of the process. */
export function temporaryFolder(scope, name) {
  const folder = mkdtempSync(join(tmpdir(), `service-faults-${name}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const forget = atExit(remove);
  scope.defer(() => {
    remove();
    forget();
  });
  return folder;
}

/** Ctrl-C and SIGTERM clean up and exit with 130; a second one does not wait for that. */
export function cleanUpOnSignals(scopes) {
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (isEnding) process.exit(130);
      isEnding = true;
      console.error(`\n${signal}: cleaning up…`);
      void (async () => {
        for (const scope of scopes()) await scope.end();
        process.exit(130);
      })();
    });
  }
}
