import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate for 127.0.0.1 that belongs to one test. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: Buffer;
  remove(): void;
}

/** Creates a certificate with `openssl`. @throws Error if `openssl` is not installed */
export function createCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'service-tls-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '1'];
  const run = spawnSync('openssl', ['req', '-x509', ...key, ...name, '-keyout', keyFile, '-out', certFile]);
  if (run.status !== 0) throw new Error(`openssl: ${String(run.stderr)}`);
  return {
    certFile,
    keyFile,
    cert: readFileSync(certFile),
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}
