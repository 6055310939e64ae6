/** The credentials of `Authorization: Basic`. */
export interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** No valid e-mail and password are longer, in UTF-8 and base64. */
const MAX_LENGTH = 2_048;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses an `Authorization: Basic` header (RFC 7617 §2): base64 with or without padding, UTF-8, user and password
 * separated by the first colon. A password may contain colons, and may be empty.
 *
 * @returns `null` if the header is malformed
 */
export function readBasicCredentials(header: string | undefined): BasicCredentials | null {
  if (header === undefined || header.length > MAX_LENGTH) return null;
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
  if (encoded === undefined) return null;
  try {
    const text = utf8.decode(Buffer.from(encoded, 'base64'));
    const colon = text.indexOf(':');
    // Neither may contain control characters (RFC 7617 §2).
    if (colon < 0 || /[\u0000-\u001f\u007f]/.test(text)) return null;
    return { user: text.slice(0, colon), password: text.slice(colon + 1) };
  } catch {
    return null;
  }
}
