import { ApiSchema } from '@nestjs/swagger';

import { Choice } from '#src/common/validation/fields.js';

@ApiSchema({ name: 'Health' })
export class HealthDto {
  @Choice({ of: ['ok'] })
  status: 'ok';
}
