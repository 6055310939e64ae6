import { ApiSchema } from '@nestjs/swagger';
import { BodyOf, Password, PatchOf, PickOf } from '@plinth/core';
import { isCommonPassword } from '@plinth/core/auth';

import { User } from './user.entity.js';

const RESPONSE_FIELDS = ['id', 'email', 'name', 'role', 'createdAt', 'updatedAt'] as const;

// The name is only for this example: its login routes are those of the repository, whose `User` has no company.
@ApiSchema({ name: 'CompanyUser' })
export class UserDto extends PickOf(User, [...RESPONSE_FIELDS, 'emailVerified', 'companyId']) {}

export class CreateUserDto extends BodyOf(UserDto, ['email', 'name', 'role', 'companyId'], {
  email: { example: 'joan@example.com' },
  name: { example: 'Joan Clarke' },
  role: {
    optional: true,
    example: undefined,
    description: 'Default: `customer`.',
  },
}) {
  @Password({
    // The service refuses this password as too common, so that nobody creates a user whose password everybody knows.
    example: 'password',
    isCommon: isCommonPassword,
    description:
      'At least 8 characters, and not one of the most common passwords. The example is refused: choose your own.',
  })
  password: string;
}

export class ReplaceUserDto extends BodyOf(UserDto, ['email', 'name', 'role'], {
  name: { example: 'Ada King' },
  role: {
    optional: true,
    example: undefined,
    description:
      'Only a caller with the permission `manage_users` may change it. If you leave it out, it does not change.',
  },
}) {
  @Password({
    isCommon: isCommonPassword,
    optional: true,
    description: 'If you leave it out, it does not change.',
  })
  password?: string;

  @Password({ min: 0, optional: true, description: 'Required to change your own e-mail or password.' })
  currentPassword?: string;
}

export class PatchUserDto extends PatchOf(ReplaceUserDto) {}
