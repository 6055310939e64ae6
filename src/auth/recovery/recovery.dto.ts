import { ApiSchema } from '@nestjs/swagger';
import { Email, Password, Text } from '@plinth/core';
import { isCommonPassword } from '@plinth/core/auth';

@ApiSchema({ name: 'PasswordResetRequest' })
export class PasswordResetDto {
  @Email({ example: 'joan@example.com' })
  email: string;
}

@ApiSchema({ name: 'EmailVerificationConfirmation' })
export class ConfirmEmailDto {
  @Text({
    max: 100,
    description: 'The `token` in the link of the mail.',
    example: 'pX3_aQ0rN2bLwq9uYv6sTzM1cJ8kHdEfGiOoRlUxWyA',
  })
  token: string;
}

@ApiSchema({ name: 'PasswordResetConfirmation' })
export class ConfirmPasswordDto extends ConfirmEmailDto {
  @Password({
    isCommon: isCommonPassword,
    example: 'a horse, a battery, a staple',
    description: 'The new password. It must follow the same rules as the password of a new user.',
  })
  password: string;
}
