import { createHash, createPrivateKey, createPublicKey, createSecretKey, KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { Config, ConfigError } from '../../core/index.js';
import type { PublicKeyDto } from './jwks.controller.js';

/** Of keys with a public half. */
export const PUBLIC_ALGORITHMS = ['ES256', 'RS256'] as const;
export type PublicAlgorithm = (typeof PUBLIC_ALGORITHMS)[number];

export const ALGORITHMS = ['HS256', ...PUBLIC_ALGORITHMS] as const;
type Algorithm = (typeof ALGORITHMS)[number];

const MIN_RSA_BITS = 2048;

export interface SigningKey {
  readonly id: string;
  readonly algorithm: Algorithm;
  readonly signsWith: KeyObject;
  readonly verifiesWith: KeyObject;
  /** `undefined` for a secret, which has no public half. */
  readonly jwk: PublicKeyDto | undefined;
}

/** The keys of access tokens: those of the PEM files, then the secrets. The first key signs, all keys verify. */
@Injectable()
export class SigningKeys {
  readonly all: readonly SigningKey[];
  private readonly byId: ReadonlyMap<unknown, SigningKey>;

  /** @throws ConfigError if a file does not hold a supported key */
  constructor(config: ConfigService<Config, true>) {
    const { privateKeyFiles, secrets } = config.get('jwt', { infer: true });
    const pems = privateKeyFiles.map(readPem);
    this.all = [...pems.map(({ file, pem }) => fromPem(pem, file)), ...secrets.map(fromSecret)];
    this.byId = new Map(this.all.map((key) => [key.id, key]));
  }

  get first(): SigningKey {
    return this.all[0] as SigningKey;
  }

  /** The key of a token's `kid`, if the token's `alg` is the key's own. */
  find(id: unknown, algorithm: unknown): SigningKey | undefined {
    const key = this.byId.get(id);
    return key?.algorithm === algorithm ? key : undefined;
  }
}

function readPem(file: string): { file: string; pem: string } {
  try {
    return { file, pem: readFileSync(file, 'utf8') };
  } catch (error) {
    throw refused(file, `cannot be read (${(error as Error).message})`);
  }
}

function fromPem(pem: string, file: string): SigningKey {
  let signsWith: KeyObject;
  try {
    signsWith = createPrivateKey(pem);
  } catch {
    throw refused(file, 'holds no private key without a passphrase');
  }
  const verifiesWith = createPublicKey(signsWith);
  const algorithm = algorithmOf(signsWith, file);
  const numbers = verifiesWith.export({ format: 'jwk' }) as { kty: string };
  // The thumbprint of the public key (RFC 7638 §3): SHA-256 over its members, sorted by name.
  const members = JSON.stringify(numbers, Object.keys(numbers).sort());
  const id = createHash('sha256').update(members).digest('base64url');
  return { id, algorithm, signsWith, verifiesWith, jwk: { ...numbers, kid: id, use: 'sig', alg: algorithm } };
}

function algorithmOf(
  { asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject,
  file: string,
): PublicAlgorithm {
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return 'ES256';
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= MIN_RSA_BITS) return 'RS256';
  throw refused(
    file,
    `holds a key of another kind (${type ?? 'unknown'} ${details?.namedCurve ?? details?.modulusLength ?? ''})`,
  );
}

const refused = (file: string, why: string): ConfigError =>
  new ConfigError([
    `JWT_PRIVATE_KEY_FILES: ${file} ${why}, takes PEM files of EC P-256 or RSA keys of ${MIN_RSA_BITS} bits or more`,
  ]);

function fromSecret(secret: string): SigningKey {
  const key = createSecretKey(Buffer.from(secret));
  // Reveals nothing of the secret.
  const id = createHash('sha256').update(`key id ${secret}`).digest('base64url').slice(0, 12);
  return { id, algorithm: 'HS256', signsWith: key, verifiesWith: key, jwk: undefined };
}
