import { BodyOf, Password, PatchOf, PickOf } from '@plinth/core';
import { isCommonPassword } from '@plinth/core/auth';

import { User } from './user.entity.js';

const RESPONSE_FIELDS = ['id', 'email', 'name', 'role', 'createdAt', 'updatedAt'] as const;

export class CompanyUserDto extends PickOf(User, [...RESPONSE_FIELDS, 'companyId']) {}

export class CreateUserDto extends BodyOf(CompanyUserDto, ['email', 'name', 'role', 'companyId']) {
  @Password({ isCommon: isCommonPassword })
  password: string;
}

export class ReplaceUserDto extends BodyOf(CompanyUserDto, ['email', 'name', 'role']) {
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
