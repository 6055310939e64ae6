import { ApiSchema } from '@nestjs/swagger';
import { Choice, Email, Integer, Password, PatchOf, Text } from '@plinth/core';
import { Nested, WithEntityTag } from '@plinth/core/auth';

import { UserDto, UserV2Dto } from '../../users/user.dto.js';

@ApiSchema({ name: 'Login' })
export class LoginDto {
  @Email()
  email: string;

  @Password({ min: 0, example: 'password' })
  password: string;

  @Choice({
    of: ['token', 'session'],
    optional: true,
    description:
      '`token` issues only tokens. `session` issues only a session. By default, the login issues both.',
    example: 'token',
  })
  scheme?: 'token' | 'session';
}

@ApiSchema({ name: 'AccessToken' })
export class AccessTokenDto {
  @Text({
    max: 4096,
    description: 'A JWT. Send it as `Authorization: Bearer <accessToken>`.',
    example: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  })
  accessToken: string;

  @Choice({ of: ['Bearer'], example: 'Bearer' })
  tokenType: 'Bearer';

  @Integer({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'The number of seconds until the access token expires.',
    example: 900,
  })
  expiresIn: number;
}

@ApiSchema({ name: 'IssuedCredentials', description: 'The access token is absent if `scheme` is `session`.' })
export class LoginResultDto extends PatchOf(AccessTokenDto) {
  @Nested(UserDto)
  user: UserDto;
}

@ApiSchema({
  name: 'IssuedCredentialsV2',
  description: 'The access token is absent if `scheme` is `session`.',
})
export class LoginResultV2Dto extends PatchOf(AccessTokenDto) {
  @Nested(WithEntityTag(UserV2Dto))
  user: UserV2Dto;
}
