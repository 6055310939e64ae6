import { Choice, type Role, ROLES, Text } from '@plinth/core';
import { AccountEntity } from '@plinth/core/auth';
import { Check, Entity } from 'typeorm';

@Entity('users')
@Check('users_role_known', `role in ('admin', 'editor', 'viewer')`)
export class User extends AccountEntity {
  @Text({ max: 200, nullable: true, example: 'Ada Lovelace' })
  name: string | null;

  // The default is the column's alone: bodies without a role differ from those with the default.
  @Choice({ of: ROLES, example: 'viewer', column: { default: 'viewer' } })
  role: Role;
}
