import { Choice, type Role, ROLES, Text } from '@plinth/core';
import { AccountEntity } from '@plinth/core/auth';
import { Check, Entity } from 'typeorm';

@Entity('users')
@Check('users_role_known', `role in ('admin', 'editor', 'viewer')`)
export class User extends AccountEntity {
  @Text({ max: 200, nullable: true, example: 'Ada Lovelace' })
  name: string | null;

  // Only the column has a default. A default of the field would add a role to each body, and only some callers may
  // send one.
  @Choice({ of: ROLES, example: 'viewer', column: { default: 'viewer' } })
  role: Role;
}
