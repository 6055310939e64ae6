import { ApiSchema } from '@nestjs/swagger';

import { Choice, Email, Integer, Nested, Password, Text } from '#src/common/validation/fields.js';
import { UserDto } from '#src/users/dto/user.dto.js';

@ApiSchema({ name: 'Login' })
export class LoginDto {
  @Email()
  email: string;

  @Password({ min: 0, example: 'correct horse battery staple' })
  password: string;
}

@ApiSchema({ name: 'LoginResult' })
export class LoginResultDto {
  @Text({
    max: 4096,
    description: 'A JWT, for `Authorization: Bearer`.',
    example: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  })
  accessToken: string;

  @Choice({ of: ['Bearer'], example: 'Bearer' })
  tokenType: 'Bearer';

  @Integer({ min: 1, max: Number.MAX_SAFE_INTEGER, description: 'Seconds until it expires.', example: 900 })
  expiresIn: number;

  @Nested(UserDto)
  user: UserDto;
}
