import { Choice, type Role, ROLES, Text } from '@plinth/core';
import { AccountEntity } from '@plinth/core/auth';
import { Check, Entity } from 'typeorm';

@Entity('users')
@Check('users_role_known', `role in ('admin', 'editor', 'viewer')`)
export class User extends AccountEntity {
  @Text({ max: 200, nullable: true, example: 'Ada Lovelace' })
  name: string | null;

  // A default of the column only, because naming a role in a body needs a permission and omitting it does not.
  @Choice({ of: ROLES, example: 'viewer', column: { default: 'viewer' } })
  role: Role;
}
