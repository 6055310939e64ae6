import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { atExit } from './cleanup.mjs';

const MIB = 1024 * 1024;

/** A small file system in memory, to be filled up. It takes root. */
export class SmallDisk {
  #ballast;
  #timer;

  constructor(path) {
    this.path = path;
    this.#ballast = join(path, 'ballast');
  }

  /** @returns `null` where this process may not mount anything */
  static mount(scope, mebibytes) {
    const path = mkdtempSync(join(tmpdir(), 'service-faults-disk-'));
    const run = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'tmpfs', path]);
    if (run.status !== 0) {
      rmdirSync(path);
      return null;
    }
    const disk = new SmallDisk(path);
    const forget = atExit(() => disk.#unmount());
    scope.defer(() => {
      disk.free();
      disk.#unmount();
      forget();
    });
    return disk;
  }

  /** Leaves no byte free, until `free()`, whatever is removed meanwhile. */
  fill() {
    this.#fillUp();
    this.#timer = setInterval(() => this.#fillUp(), 50);
  }

  free() {
    clearInterval(this.#timer);
    rmSync(this.#ballast, { force: true });
  }

  #fillUp() {
    const file = openSync(this.#ballast, 'a');
    try {
      for (const size of [MIB, 4096, 1]) this.#write(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  }

  #write(file, block) {
    try {
      for (;;) if (writeSync(file, block) < block.length) return;
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }

  #unmount() {
    // Lazily: what still runs there ends a moment later.
    spawnSync('umount', ['--lazy', this.path]);
    rmSync(this.path, { recursive: true, force: true });
  }
}
