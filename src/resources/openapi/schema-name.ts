import { ApiSchema } from '@nestjs/swagger';

import { Dto, fieldsOf } from '../../fields/field.js';

const SCHEMA_METADATA = 'swagger/apiSchema';

/**
 * Names the schema of a DTO, and of those nested in it, after its class: `ProductDto` → `Product`. `@ApiSchema()` wins.
 */
export function nameSchema(dto: Dto): void {
  if (!Reflect.hasOwnMetadata(SCHEMA_METADATA, dto)) ApiSchema({ name: dto.name.replace(/Dto$/, '') })(dto);
  for (const { kind } of fieldsOf(dto).values()) if (kind.nested) nameSchema(kind.nested);
}
