import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { launchChromium } from './chromium.mjs';

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css' };

/** Chromium, without a way out of this machine. */
export const openBrowser = () => launchChromium('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');

/** Serves a folder on an origin of its own. */
export async function startSite(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'suites.html'),
    '<!doctype html><script type="module" src="suites.js"></script>',
  );
  const server = createServer((request, response) => {
    const name = new URL(request.url, 'http://site').pathname.slice(1) || 'index.html';
    const file = join(folder, name);
    if (!/^[\w-]+\.\w+$/.test(name) || !existsSync(file)) {
      response.writeHead(name === 'favicon.ico' ? 204 : 404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[name.split('.').at(-1)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    folder,
    origin: `http://127.0.0.1:${server.address().port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
