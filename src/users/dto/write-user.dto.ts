import { ApiSchema } from '@nestjs/swagger';

import { type Role, ROLES } from '../../access/permissions.js';
import { PatchOf } from '../../fields/derive.js';
import { Choice, Email, Password, Text } from '../../fields/fields.js';
import { isCommonPassword } from '../common-passwords.js';

const NAME = { max: 200, nullable: true, default: null, example: 'Ada Lovelace' };
const ROLE = {
  of: ROLES,
  optional: true,
  description: 'Only a caller with `manage_users` may send it. Default: `viewer`.',
};
const PASSWORD = { example: 'correct horse battery staple' };

@ApiSchema({ name: 'CreateUser' })
export class CreateUserDto {
  @Email()
  email: string;

  @Password({ ...PASSWORD, isCommon: isCommonPassword })
  password: string;

  @Text(NAME)
  name: string | null;

  @Choice(ROLE)
  role?: Role;
}

@ApiSchema({ name: 'ReplaceUser' })
export class ReplaceUserDto {
  @Email()
  email: string;

  @Password({
    ...PASSWORD,
    isCommon: isCommonPassword,
    optional: true,
    description: 'Unchanged where it is left out.',
  })
  password?: string;

  @Password({ ...PASSWORD, min: 0, optional: true, description: 'Required to change your own password.' })
  currentPassword?: string;

  @Text(NAME)
  name: string | null;

  @Choice({
    ...ROLE,
    description: 'Only a caller with `manage_users` may change it. Unchanged where it is left out.',
  })
  role?: Role;
}

@ApiSchema({ name: 'PatchUser' })
export class PatchUserDto extends PatchOf(ReplaceUserDto) {}
