import { Choice, Id, type Role, ROLES, Text } from '@plinth/core';
import { AccountEntity } from '@plinth/core/auth';
import { Check, Entity, ForeignKey } from 'typeorm';

import { Company } from '../companies/company.entity.js';
// Only in this example: its login routes are those of the repository, and load the users of the repository. The entity that
// is loaded last counts.
import '../../../../../../../src/users/user.entity.js';

@Entity('users')
@Check('users_role_known', `role in ('admin', 'agent', 'customer')`)
export class User extends AccountEntity {
  @Text({ max: 200, nullable: true, example: 'Ada Lovelace' })
  name: string | null;

  @Choice({ of: ROLES, example: 'customer', column: { default: 'customer' } })
  role: Role;

  @Id({ nullable: true, example: 1, description: 'The company of a customer. The desk has none.' })
  @ForeignKey(() => Company)
  companyId: number | null;
}
