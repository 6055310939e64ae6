import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const FILES = [
  'package.json',
  'package-lock.json',
  'clients/typescript/package.json',
  'CHANGELOG.md',
  'docs/api-surface.released.txt',
  'Dockerfile',
];
const BASE = `node:24-slim@sha256:${'a1'.repeat(32)}`;
const release = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, ['scripts/release.mjs', ...args], { encoding: 'utf8' });

describe('a release, tried', () => {
  it('says what would change, and writes nothing', () => {
    const before = FILES.map((file) => readFileSync(file, 'utf8'));
    const { version } = JSON.parse(before[0] as string) as { version: string };
    const [major = '', minor = ''] = version.split('.');
    const next = `${major}.${Number(minor) + 1}.0`;
    const { status, stdout } = release('minor', `--base=${BASE}`, '--dry-run');
    expect(status).toBe(0);
    expect(stdout.split(`+ "version": "${next}"`)).toHaveLength(4);
    expect(stdout).toContain(`+ ## ${next} – `);
    expect(stdout).toContain('docs/api-surface.released.txt:');
    expect(stdout).toContain(`Dockerfile:\n  + ARG NODE=${BASE}\n`);
    expect(stdout).toContain(`git tag -a v${next}`);
    expect(stdout).toContain(`docker build -t service:${next} -t service:${major}.${Number(minor) + 1} .`);
    expect(FILES.map((file) => readFileSync(file, 'utf8'))).toEqual(before);
  });

  it('has an image on a base that is named by its digest, or none', () => {
    for (const base of [[], ['--base=node:24-slim'], ['--base=node:24-slim@sha256:abc']]) {
      const { status, stderr } = release('minor', '--dry-run', ...base);
      expect([base, status, stderr]).toEqual([base, 1, expect.stringContaining('takes one with its digest')]);
    }
    const { status, stdout } = release('minor', '--dry-run', '--no-image');
    expect([status, stdout]).toEqual([0, expect.not.stringMatching(/docker|Dockerfile/)]);
  });

  it('refuses what is no version', () => {
    for (const args of [[], ['next'], ['1.2'], ['1.2.3', 'minor']])
      expect([args, release(...args, '--no-image', '--dry-run').status]).toEqual([args, 2]);
  });
});
