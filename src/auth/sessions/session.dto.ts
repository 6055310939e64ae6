import { ApiSchema } from '@nestjs/swagger';

import { Flag, Id, Text, Timestamp } from '../../fields/fields.js';

@ApiSchema({ name: 'Session', description: 'A login, with the session and the tokens that it issued.' })
export class SessionDto {
  @Id()
  id: number;

  @Text({
    max: 500,
    blank: true,
    nullable: true,
    example: 'Mozilla/5.0',
    description: 'The `User-Agent` of the login.',
  })
  userAgent: string | null;

  @Text({ max: 45, nullable: true, example: '192.0.2.7' })
  address: string | null;

  @Timestamp()
  createdAt: string;

  @Timestamp({ description: 'When it was last used, accurate to a few minutes.' })
  lastSeenAt: string;

  @Flag({ description: 'Whether this request was authenticated by this login.' })
  current: boolean;
}
