import { BodyOf, PatchOf, PickOf } from '../fields/derive.js';
import { Password } from '../fields/fields.js';
import { isCommonPassword } from './common-passwords.js';
import { User } from './user.entity.js';

const PASSWORD = { example: 'correct horse battery staple' };

export class UserDto extends PickOf(User, ['id', 'email', 'name', 'role', 'createdAt', 'updatedAt']) {}

export class CreateUserDto extends BodyOf(User, ['email', 'name', 'role'], {
  role: {
    optional: true,
    description: 'Only a caller with `manage_users` may send it. Default: `viewer`.',
  },
}) {
  @Password({ ...PASSWORD, isCommon: isCommonPassword })
  password: string;

  /** Set by `HashPassword`. No field, so that no client sends it. */
  passwordHash: string;
}

export class ReplaceUserDto extends BodyOf(User, ['email', 'name', 'role'], {
  role: {
    optional: true,
    description: 'Only a caller with `manage_users` may change it. Unchanged where it is left out.',
  },
}) {
  @Password({
    ...PASSWORD,
    isCommon: isCommonPassword,
    optional: true,
    description: 'Unchanged where it is left out.',
  })
  password?: string;

  @Password({ ...PASSWORD, min: 0, optional: true, description: 'Required to change your own password.' })
  currentPassword?: string;
}

export class PatchUserDto extends PatchOf(ReplaceUserDto) {}
