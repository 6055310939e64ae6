import { ApiSchema } from '@nestjs/swagger';
import { Flag, PickOf } from '@plinth/core';
import { Login } from '@plinth/core/auth';

@ApiSchema({ name: 'Session', description: 'A login, with the session and the tokens that it issued.' })
export class SessionDto extends PickOf(Login, ['id', 'userAgent', 'address', 'createdAt', 'lastSeenAt']) {
  @Flag({ description: 'Whether the request was authenticated by this login.', example: false })
  current: boolean;
}
