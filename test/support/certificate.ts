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

/** A certificate for 127.0.0.1 that a private authority has signed. */
export interface SignedCertificate extends Certificate {
  /** The certificate of the authority. */
  readonly authorityFile: string;
}

/** Creates a private authority, and a certificate that it has signed. @throws Error if `openssl` is not installed */
export function createSignedCertificate(): SignedCertificate {
  const authority = createCertificate('/CN=Authority of the tests');
  const signers = ['-CA', authority.certFile, '-CAkey', authority.keyFile];
  const { remove, ...certificate } = createCertificate('/CN=127.0.0.1', signers);
  return {
    ...certificate,
    authorityFile: authority.certFile,
    remove: () => {
      remove();
      authority.remove();
    },
  };
}

/**
 * Creates a certificate with `openssl`.
 * @param signers the options of `openssl req` that name an authority. By default, the certificate signs itself
 * @throws Error if `openssl` is not installed
 */
export function createCertificate(subject = '/CN=127.0.0.1', signers: readonly string[] = []): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'service-tls-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const name = ['-subj', subject, '-addext', 'subjectAltName=IP:127.0.0.1'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '1'];
  const run = spawnSync('openssl', [
    'req',
    '-x509',
    ...signers,
    ...key,
    ...name,
    '-keyout',
    keyFile,
    '-out',
    certFile,
  ]);
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
