import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { processStart } from './process-identity.js';

/** The process that runs the embedded database of a directory; `port` is null until the database answers. */
export interface Owner {
  pid: number;
  startedAt: string;
  port: number | null;
}

/** The right to run the database of one directory. It ends with `release()` or with the process, however that ends. */
export interface Claim {
  /** Lets others attach. */
  publish(port: number): void;
  /** Whether it still holds: not where the directory was removed, and perhaps claimed by another process. */
  isHeld(): boolean;
  release(): void;
}

/**
 * Claims `directory` for this process, or names the living process that has it.
 * A claim whose process is gone (or whose pid belongs to another program by now) is taken over.
 */
export function claimDirectory(directory: string): { claim: Claim } | { owner: Owner } {
  const file = join(directory, 'owner.json');
  const me: Owner = { pid: process.pid, startedAt: processStart(process.pid) ?? 'unknown', port: null };
  for (;;) {
    if (createOnce(file, JSON.stringify(me))) return { claim: claimOf(file, me) };
    const text = readText(file);
    const owner = parse(text);
    if (owner && processStart(owner.pid) === owner.startedAt) return { owner };
    if (text !== null) discard(file, text);
  }
}

function claimOf(file: string, me: Owner): Claim {
  const isHeld = (): boolean => {
    const owner = parse(readText(file));
    return owner?.pid === me.pid && owner.startedAt === me.startedAt;
  };
  return {
    isHeld,
    publish: (port) => {
      me.port = port;
      const draft = draftOf(file);
      writeFileSync(draft, JSON.stringify(me));
      renameSync(draft, file);
    },
    release: () => {
      if (isHeld()) rmSync(file, { force: true });
    },
  };
}

/** A hard link either appears with its whole content or not at all, and never replaces what is there. */
function createOnce(file: string, text: string): boolean {
  const draft = draftOf(file);
  writeFileSync(draft, text);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the file if it still holds `text`: what another process put there meanwhile is given back. */
function discard(file: string, text: string): void {
  const aside = draftOf(file);
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const found = readText(aside);
  if (found !== null && found !== text) createOnce(file, found);
  rmSync(aside, { force: true });
}

const draftOf = (file: string) => `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function parse(text: string | null): Owner | null {
  try {
    const owner = JSON.parse(text ?? 'null') as Owner | null;
    return owner && Number.isInteger(owner.pid) ? owner : null;
  } catch {
    return null;
  }
}
