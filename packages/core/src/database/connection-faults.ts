import { databaseErrorCode } from './database-error.js';

const TLS_PAGE = 'See "TLS" in node_modules/@plinth/core/docs/postgresql.md.';

/** The advice to the operator after an error. A pattern matches the code of the error, or else its message. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT)/,
    `Download the certificate of the provider's authority, and add sslrootcert=<file> to DATABASE_URL. ${TLS_PAGE}`,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    `Use a host name of the certificate in DATABASE_URL, or sslmode=verify-ca with sslrootcert. ${TLS_PAGE}`,
  ],
  [/^CERT_HAS_EXPIRED$/, `Renew the certificate of the server, or the file of sslrootcert. ${TLS_PAGE}`],
  [
    /^The server does not support SSL connections/,
    `Turn on TLS in the server, or set sslmode=disable in DATABASE_URL. ${TLS_PAGE}`,
  ],
  [
    /no encryption$|SSL off$/,
    `The server requires TLS: add sslmode=verify-full to DATABASE_URL. ${TLS_PAGE}`,
  ],
];

/** Returns what the operator should do after a connection was refused, or `undefined` if no advice is known. */
export function connectionAdvice(error: unknown): string | undefined {
  const { message = '' } = (error ?? {}) as { readonly message?: string };
  const texts = [databaseErrorCode(error) ?? '', message];
  return ADVICE.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
}

/**
 * Whether the settings are the cause of an error, so that waiting does not help: the password, the user or the name of
 * the database is wrong, or TLS is not set up as the server requires.
 */
export const isConnectionMisconfigured = (error: unknown): boolean =>
  /^(28...|3D000)$/.test(databaseErrorCode(error) ?? '') || connectionAdvice(error) !== undefined;
