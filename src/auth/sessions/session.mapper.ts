import { Principal } from '../../access/principal.js';
import { LoginRow } from './logins.repository.js';
import { SessionDto } from './session.dto.js';

export const toSession =
  (caller: Principal) =>
  (row: LoginRow): SessionDto => ({
    id: row.id,
    userAgent: row.userAgent,
    address: row.address,
    createdAt: row.createdAt,
    lastSeenAt: row.lastSeenAt,
    current: row.id === caller.loginId,
  });
