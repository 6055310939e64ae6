import { readFileSync } from 'node:fs';
import { ConnectionOptions as TlsOptions } from 'node:tls';

/** Options of a connection of `pg`. */
export interface PostgresConnection {
  /** The URL without its parameters for TLS. */
  readonly connectionString: string;
  readonly ssl?: TlsOptions | false;
  readonly sslnegotiation?: 'direct';
}

/** The values of `sslmode`. `no-verify` is a name of `pg` for `require`. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'no-verify', 'verify-ca', 'verify-full'];
/** The value of `sslrootcert` for the authorities that Node.js knows. */
const SYSTEM = 'system';

/**
 * Returns how to connect to the server of a URL. `sslmode` and `sslrootcert` mean what they mean in libpq. `pg` itself
 * would read `require` and `verify-ca` as `verify-full`. Two things differ from libpq, so that a connection never
 * becomes less safe than the URL says:
 *
 * - `allow` and `prefer` mean `require`, because `pg` does not connect a second time without TLS.
 * - `verify-ca` without `sslrootcert` means `verify-full`. libpq would look for a file in the home directory. The
 *   public authorities that Node.js knows give a certificate to anyone.
 *
 * @throws Error if a parameter for TLS cannot be used. The message completes the sentence `DATABASE_URL: must be …`
 */
export function readPostgresUrl(url: string): PostgresConnection {
  const parsed = new URL(url);
  const take = (name: string): string | undefined => {
    const value = parsed.searchParams.get(name) || undefined;
    parsed.searchParams.delete(name);
    return value;
  };
  const [mode, rootCert, cert, key] = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'].map(take);
  const isDirect = take('sslnegotiation') === 'direct';
  take('uselibpqcompat');
  if (!(mode ?? rootCert ?? cert ?? key) && !isDirect) return { connectionString: url };
  if (mode !== undefined && !SSL_MODES.includes(mode))
    throw new Error(
      `a URL whose sslmode is disable, require, verify-ca or verify-full, not ${JSON.stringify(mode)}`,
    );
  const connectionString = parsed.href;
  if (mode === 'disable') return { connectionString, ssl: false };
  const ssl = {
    ...verification(mode ?? 'verify-full', rootCert),
    ...(cert !== undefined && { cert: readParameter('sslcert', cert) }),
    ...(key !== undefined && { key: readParameter('sslkey', key) }),
  };
  return { connectionString, ssl, ...(isDirect && { sslnegotiation: 'direct' }) };
}

/** Whether a connection is encrypted, but a server that pretends to be the right one would be accepted. */
export function acceptsAnyCertificate(url: string): boolean {
  const { ssl } = readPostgresUrl(url);
  return ssl !== undefined && ssl !== false && ssl.rejectUnauthorized === false;
}

function verification(mode: string, rootCert: string | undefined): TlsOptions {
  if (rootCert === SYSTEM) {
    if (mode === 'verify-full') return {};
    throw new Error(
      `a URL whose sslmode is verify-full if sslrootcert is system, not ${JSON.stringify(mode)}`,
    );
  }
  const ca = rootCert === undefined ? undefined : readParameter('sslrootcert', rootCert);
  if (mode === 'verify-full' || (mode === 'verify-ca' && !ca)) return { ...(ca && { ca }) };
  // With a certificate of an authority, `require` means `verify-ca`, as in libpq.
  return ca ? { ca, checkServerIdentity: () => undefined } : { rejectUnauthorized: false };
}

function readParameter(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`a URL whose ${name} is a file that can be read, not ${(error as Error).message}`, {
      cause: error,
    });
  }
}
