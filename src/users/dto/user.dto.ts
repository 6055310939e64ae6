import { ApiSchema } from '@nestjs/swagger';

import { type Role, ROLES } from '../../access/permissions.js';
import { Choice, Email, Id, Text, Timestamp } from '../../fields/fields.js';

@ApiSchema({ name: 'User' })
export class UserDto {
  @Id()
  id: number;

  @Email()
  email: string;

  @Text({ max: 200, nullable: true, example: 'Ada Lovelace' })
  name: string | null;

  @Choice({ of: ROLES, example: 'viewer' })
  role: Role;

  @Timestamp()
  createdAt: string;

  @Timestamp()
  updatedAt: string;
}
