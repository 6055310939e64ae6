import { availableParallelism } from 'node:os';

import { z } from 'zod';

import { readPostgresUrl } from './postgres-url.js';

export interface Setting<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** Parses the text of the variable, or `undefined` if it is not set. */
  readonly schema: S;
  /**
   * Whether the value must never be printed. If so, the variable `<NAME>_FILE` may name a file that holds the value.
   */
  readonly isSecret: boolean;
}

/** Declares an environment variable. @example host: env('HOST', text.default('127.0.0.1')) */
export const env = <S extends z.ZodType>(name: string, schema: S): Setting<S> => ({
  name,
  schema,
  isSecret: false,
});

/**
 * Declares an environment variable whose value is never printed. `<NAME>_FILE` may name a file that holds the value.
 * @example apiKey: secret('MAIL_API_KEY', z.string().min(20))
 */
export const secret = <S extends z.ZodType>(name: string, schema: S): Setting<S> => ({
  ...env(name, schema),
  isSecret: true,
});

// Schemas of settings. Each error message completes the sentence `PORT: must be … (got "x")`.

export const anyText = z.string();

export const trueOrFalse = z.stringbool({
  truthy: ['true'],
  falsy: ['false'],
  case: 'sensitive',
  error: 'true or false',
});

export function wholeNumber(min: number, max: number, rule = `a whole number from ${min} to ${max}`) {
  return z
    .string()
    .regex(/^\d{1,15}$/, rule)
    .transform(Number)
    .refine((number) => number >= min && number <= max, { error: rule, abort: true });
}

export const workerCount = z.union(
  [z.literal('auto').transform(availableParallelism), wholeNumber(1, 256)],
  'a whole number from 1 to 256, or auto',
);

export const oneOf = <const T extends readonly string[]>(choices: T) =>
  z.enum(choices, `one of ${choices.join(', ')}`);

const ISO_DATE_MESSAGE = 'an ISO 8601 date such as 2027-01-31 or 2027-01-31T12:00:00Z';
/** An ISO 8601 date, with or without a time. A time without a zone is in UTC. */
export const isoDate = z
  .union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], ISO_DATE_MESSAGE)
  .refine((value) => !/\.\d{4}/.test(value), ISO_DATE_MESSAGE)
  .transform(
    (value) => new Date(/T.*(Z|[+-]\d{2}:\d{2})$/.test(value) || !value.includes('T') ? value : `${value}Z`),
  );

export const commaSeparated = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
    .pipe(z.array(item));

const urlWithProtocol = (protocol: RegExp, rule: string) =>
  z.string().refine((value) => protocol.test(value) && URL.canParse(value), { error: rule, abort: true });
export const postgresUrl = urlWithProtocol(
  /^postgres(ql)?:\/\/.+/,
  'postgres://user:password@host:port/database',
).superRefine((url, context) => {
  try {
    readPostgresUrl(url);
  } catch (error) {
    context.addIssue((error as Error).message);
  }
});
export const redisUrl = urlWithProtocol(/^rediss?:\/\/.+/, 'redis://user:password@host:port/database');
export const httpUrl = urlWithProtocol(/^https?:\/\/.+/, 'http://host:port or https://host:port');

/** A URL that paths are appended to. It has no query and no fragment. A slash at the end is removed. */
export const baseUrl = urlWithProtocol(
  /^https?:\/\/[^\s?#@]+$/,
  'https://host or https://host/path, without a query or fragment',
).transform((value) => value.replace(/\/+$/, ''));
export const smtpUrl = urlWithProtocol(/^smtps?:\/\/.+/, 'smtps://user:password@host:port, or smtp://');

/** An origin: scheme, host, and the port if it is not the default one. It has no path (RFC 6454 §6.2). */
export const origin = z
  .string()
  .refine(
    (value) => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value,
    'origins such as https://app.example.com, without a path',
  );

/** The value of `Strict-Transport-Security` (RFC 6797 §6.1). `off` becomes `undefined`. */
export const hsts = z
  .string()
  .regex(
    /^(off|max-age=\d{1,10}(; ?includeSubDomains)?(; ?preload)?)$/,
    'max-age=<seconds>, optionally with includeSubDomains and preload, or off',
  )
  .transform((value) => (value === 'off' ? undefined : value));

export const keySecret = z
  .string()
  .refine((value) => Buffer.byteLength(value) >= 32, 'secrets of at least 32 bytes each');

export const emailAddress = z.string().regex(/^(?=.{1,254}$)[^\s@]+@[^\s@]+$/, 'an e-mail address');

export const password = z
  .string()
  .refine((value) => [...value].length >= 8 && [...value].length <= 128, '8 to 128 characters');

const proxyAddress = z
  .union([z.enum(['loopback', 'linklocal', 'uniquelocal']), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine((range) => !range.endsWith('/0'), { abort: true });
export const trustedProxies = z.union(
  [wholeNumber(0, 99), commaSeparated(proxyAddress)],
  'a hop count, or addresses and ranges such as 10.0.0.0/8',
);
