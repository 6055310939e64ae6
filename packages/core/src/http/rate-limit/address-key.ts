import { normalizeIp } from '@nestjs/throttler';

/** In bits. A provider usually gives each customer a whole /64. */
const IPV6_PREFIX = 64;

/**
 * Returns the key under which requests from an address are counted: the IPv4 address, or the /64 of an IPv6 address. An
 * IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export const addressKey = (address: string): string => normalizeIp(address, IPV6_PREFIX);
