import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Serves the packed packages in some folders as an npm registry of the scope @plinth: the lists of versions, and the
 * tarballs. Also serves files that are added to a folder later.
 *
 * @param folders in the order of the releases, so that the last one has the latest version
 * @returns `{ env, stop }`, where `env` has the variables that make npm use this registry
 */
export async function startRegistry(folders) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const packed = folders.flatMap(packedIn);
    const file = packed.find((one) => path === one.name)?.file;
    if (file) return response.end(readFileSync(file));
    const found = packed.filter(({ manifest }) => path === manifest.name);
    const versions = found.map((one) => versionOf(one, `http://${request.headers.host}`));
    response.writeHead(versions.length > 0 ? 200 : 404, { 'content-type': 'application/json' });
    const latest = versions.at(-1)?.[0];
    return response.end(
      JSON.stringify({ name: path, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A shell does not pass on variables whose name contains a scope.
  const settings = mkdtempSync(join(tmpdir(), 'registry-'));
  const npmrc = join(settings, 'npmrc');
  const own = execFileSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' }).trim();
  const line = `@plinth:registry=http://127.0.0.1:${server.address().port}/\n`;
  writeFileSync(npmrc, `${existsSync(own) ? readFileSync(own, 'utf8') : ''}\n${line}`);
  const stop = () => {
    server.closeAllConnections();
    server.close();
    rmSync(settings, { recursive: true });
  };
  return { env: { npm_config_userconfig: npmrc }, stop };
}

const packedIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('plinth-') && name.endsWith('.tgz'))
    .map((name) => {
      const file = join(folder, name);
      const text = execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' });
      return { name, file, manifest: JSON.parse(text) };
    });

function versionOf({ name, file, manifest }, origin) {
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  return [manifest.version, { ...manifest, dist: { tarball: `${origin}/${name}`, integrity } }];
}
