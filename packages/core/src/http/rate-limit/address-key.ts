import { normalizeIp } from '@nestjs/throttler';

/** One customer of a provider usually has a whole /64. */
const IPV6_PREFIX = 64;

/** The key that requests from an address are counted by: the IPv4 address, also if it is mapped, or the /64 of IPv6. */
export const addressKey = (address: string): string => normalizeIp(address, IPV6_PREFIX);
