/** What `Authorization: Basic` carries. */
export interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** Longer than any e-mail and password that can be right, in UTF-8 and base64. */
const MAX_LENGTH = 2_048;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads an `Authorization: Basic` header (RFC 7617 §2): the scheme exactly, base64 with its padding or without,
 * UTF-8, and of user and password the first colon as the border: a password may hold more, and may be empty.
 *
 * @returns `null` where it is malformed
 */
export function readBasicCredentials(header: string | undefined): BasicCredentials | null {
  if (header === undefined || header.length > MAX_LENGTH) return null;
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
  if (encoded === undefined) return null;
  try {
    const text = utf8.decode(Buffer.from(encoded, 'base64'));
    const colon = text.indexOf(':');
    // NUL and other control characters are in neither (RFC 7617 §2).
    if (colon < 0 || /[\u0000-\u001f\u007f]/.test(text)) return null;
    return { user: text.slice(0, colon), password: text.slice(colon + 1) };
  } catch {
    return null;
  }
}
