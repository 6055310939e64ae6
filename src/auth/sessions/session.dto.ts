import { ApiSchema } from '@nestjs/swagger';

import { Flag, Id, Text, Timestamp } from '../../fields/fields.js';

@ApiSchema({ name: 'Session', description: 'One login, with whatever it issued.' })
export class SessionDto {
  @Id()
  id: number;

  @Text({
    max: 500,
    blank: true,
    nullable: true,
    example: 'Mozilla/5.0',
    description: 'As the browser calls itself.',
  })
  userAgent: string | null;

  @Text({ max: 45, nullable: true, example: '192.0.2.7' })
  address: string | null;

  @Timestamp()
  createdAt: string;

  @Timestamp({ description: 'Of its last use, to a few minutes.' })
  lastSeenAt: string;

  @Flag({ description: 'Whether the request itself comes from this login.' })
  current: boolean;
}
