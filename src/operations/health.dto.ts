import { ApiSchema } from '@nestjs/swagger';

import { Choice } from '../fields/fields.js';

@ApiSchema({ name: 'Health' })
export class HealthDto {
  @Choice({ of: ['ok'] })
  status: 'ok';
}
