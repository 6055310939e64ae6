import { createPrivateKey, createPublicKey, createSecretKey, hash, KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { Config } from '../config/config.js';
import { ConfigError } from '../config/read-config.js';

export const PUBLIC_ALGORITHMS = ['ES256', 'RS256'] as const;
export type PublicAlgorithm = (typeof PUBLIC_ALGORITHMS)[number];

export const ALGORITHMS = ['HS256', ...PUBLIC_ALGORITHMS] as const;

const MIN_RSA_BITS = 2048;

export interface SigningKey {
  readonly id: string;
  readonly algorithm: (typeof ALGORITHMS)[number];
  readonly signingKey: KeyObject;
  readonly verificationKey: KeyObject;
  /** The public key in the format of RFC 7517. `undefined` for a secret, which has no public key. */
  readonly jwk: { kty: string; kid: string; use: 'sig'; alg: PublicAlgorithm } | undefined;
}

/**
 * The keys of access tokens: first the keys of `JWT_PRIVATE_KEY_FILES`, then the keys of `JWT_SECRET`. The first key
 * signs new tokens. All keys verify tokens, so that tokens that an earlier key signed stay valid after a rotation.
 */
@Injectable()
export class SigningKeys {
  readonly all: readonly SigningKey[];

  /** @throws ConfigError if a file does not contain a supported key */
  constructor(config: ConfigService<Config, true>) {
    const { privateKeyFiles, secrets } = config.get('jwt', { infer: true });
    this.all = [...privateKeyFiles.map(fromPem), ...secrets.map(fromSecret)];
  }
}

function readPrivateKey(file: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(file));
  } catch (error) {
    throw keyFileError(file, `cannot be read as an unencrypted private key: ${(error as Error).message}`);
  }
}

function fromPem(file: string): SigningKey {
  const signsWith = readPrivateKey(file);
  const verifiesWith = createPublicKey(signsWith);
  const algorithm = detectAlgorithm(signsWith, file);
  const numbers = verifiesWith.export({ format: 'jwk' }) as { kty: string };
  // The id is the thumbprint of the public key (RFC 7638 §3): SHA-256 of its members, sorted by name.
  const members = JSON.stringify(numbers, Object.keys(numbers).sort());
  const id = hash('sha256', members, 'base64url');
  return {
    id,
    algorithm,
    signingKey: signsWith,
    verificationKey: verifiesWith,
    jwk: { ...numbers, kid: id, use: 'sig', alg: algorithm },
  };
}

function detectAlgorithm(key: KeyObject, file: string): PublicAlgorithm {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return 'ES256';
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= MIN_RSA_BITS) return 'RS256';
  const kind = `${type ?? 'unknown'} ${details?.namedCurve ?? details?.modulusLength ?? ''}`;
  throw keyFileError(file, `contains a key of another kind (${kind})`);
}

const keyFileError = (file: string, why: string): ConfigError =>
  new ConfigError([
    `JWT_PRIVATE_KEY_FILES: must be PEM files of EC P-256 keys, or RSA keys of at least ${MIN_RSA_BITS} bits (${file} ${why})`,
  ]);

function fromSecret(secret: string): SigningKey {
  const key = createSecretKey(Buffer.from(secret));
  // The id is public. It is a digest, so it does not reveal the secret.
  const id = hash('sha256', `key id ${secret}`, 'base64url').slice(0, 12);
  return { id, algorithm: 'HS256', signingKey: key, verificationKey: key, jwk: undefined };
}
