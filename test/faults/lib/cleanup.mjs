import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Everything that must be ended, latest first. `Scope.whole` belongs to the whole run. */
export class Scope {
  static whole = new Scope();
  #undo = [];

  /** Registers `work` for the end of the scope. It must be safe to do it again. */
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

/** Cleanup that is still possible while the process exits, for whatever reason: only synchronous work. */
const lastResorts = new Set();

/** @returns a function that cancels the registration */
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

/** Creates a folder that is deleted at the end of the scope or of the process. */
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

/** Cleans up on Ctrl-C and SIGTERM and exits with 130. A second signal exits immediately. */
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
