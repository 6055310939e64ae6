import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';

/** Turns the text of a variable into its value, or throws a `Rejected` that says what is taken. */
export type Parser<T> = (text: string) => T;

/** A value that a variable does not take; the message says what it does take. */
export class Rejected extends Error {}

export const text: Parser<string> = (value) => value;

export const flag: Parser<boolean> = (value) => {
  if (value === 'true') return true;
  if (value === 'false') return false;
  throw new Rejected('true or false');
};

/** A whole number from `min` to `max`, both included. */
export function integer(min: number, max: number): Parser<number> {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    throw new Rejected(`a whole number from ${min} to ${max}`);
  };
}

/** A number of processes; `auto` is one for each core that this process may use. */
export const processes: Parser<number> = (value) => {
  if (value === 'auto') return availableParallelism();
  const number = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= 256) return number;
  throw new Rejected('a whole number from 1 to 256, or auto');
};

export function oneOf<const T extends string>(choices: readonly T[]): Parser<T> {
  return (value) => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice !== undefined) return choice;
    throw new Rejected(`one of ${choices.join(', ')}`);
  };
}

/** An ISO 8601 date, with or without a time; without a zone it is UTC. */
export const date: Parser<Date> = (value) => {
  const isIso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(value);
  const hasZone = /T.*(Z|[+-]\d{2}:\d{2})$/.test(value) || !value.includes('T');
  const parsed = new Date(isIso && !hasZone ? `${value}Z` : value);
  if (isIso && !Number.isNaN(parsed.getTime()) && isDayOfCalendar(value.slice(0, 10))) return parsed;
  throw new Rejected('an ISO 8601 date such as 2027-01-31 or 2027-01-31T12:00:00Z');
};

/** `Date` takes the 30th of February for the 2nd of March. */
function isDayOfCalendar(day: string): boolean {
  return new Date(day).toISOString().startsWith(day);
}

/** Comma-separated parts, blank ones left out, each read by `part`. */
export function listOf<T>(part: Parser<T>): Parser<readonly T[]> {
  return (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(part);
}

/** A PostgreSQL connection string. */
export const postgresUrl: Parser<string> = (value) => {
  if (/^postgres(ql)?:\/\/.+/.test(value) && URL.canParse(value)) return value;
  throw new Rejected('postgres://user:password@host:port/database');
};

/** A URL of HTTP or HTTPS. */
export const httpUrl: Parser<string> = (value) => {
  if (/^https?:\/\/.+/.test(value) && URL.canParse(value)) return value;
  throw new Rejected('http://host:port or https://host:port');
};

/** A Redis connection string. */
export const redisUrl: Parser<string> = (value) => {
  if (/^rediss?:\/\/.+/.test(value) && URL.canParse(value)) return value;
  throw new Rejected('redis://user:password@host:port/database');
};

/** An origin: scheme and host, and a port where it is not the default one; no path (RFC 6454 §6.2). */
export const origin: Parser<string> = (value) => {
  if (URL.canParse(value) && /^https?:\/\//.test(value) && new URL(value).origin === value) return value;
  throw new Rejected('origins such as https://app.example.com, without a path');
};

/** The value of `Strict-Transport-Security` (RFC 6797 §6.1); `off` is `undefined`. */
export const hsts: Parser<string | undefined> = (value) => {
  if (value === 'off') return undefined;
  if (/^max-age=\d{1,10}(; ?includeSubDomains)?(; ?preload)?$/.test(value)) return value;
  throw new Rejected('max-age=<seconds>, with includeSubDomains and preload if need be, or off');
};

/** A secret of at least 32 bytes (RFC 7518 §3.2). */
export const secret: Parser<string> = (value) => {
  if (Buffer.byteLength(value) >= 32) return value;
  throw new Rejected('secrets of at least 32 bytes each');
};

export const email: Parser<string> = (value) => {
  if (/^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 254) return value;
  throw new Rejected('an e-mail address');
};

export const password: Parser<string> = (value) => {
  if ([...value].length >= 8 && [...value].length <= 128) return value;
  throw new Rejected('8 to 128 characters');
};

/** A hop count, or addresses, CIDR ranges and the names `loopback`, `linklocal`, `uniquelocal`. */
export const proxies: Parser<readonly string[] | number> = (value) => {
  if (/^\d{1,2}$/.test(value)) return Number(value);
  return listOf((part) => {
    if (/^(loopback|linklocal|uniquelocal)$/.test(part) || isAddressRange(part)) return part;
    throw new Rejected('a hop count, or addresses and ranges such as 10.0.0.0/8');
  })(value);
};

/** An address, alone or with the length of its prefix. */
function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}
