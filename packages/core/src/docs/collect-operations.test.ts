import { Integer } from '../fields/fields.js';
import { responseSchemaFor } from '../resources/openapi/api-responses.decorator.js';
import { assertUniqueNames } from './collect-operations.js';

class PartDto {
  @Integer()
  id: number;
}

class PartV2Dto {
  @Integer()
  id: number;
}

it('refuses two DTOs whose schemas have the same name, including the schemas of version 2', () => {
  const policies = (...shown: Parameters<typeof responseSchemaFor>[]) =>
    shown.map(([dto, version]) => ({ policy: { rowResponse: responseSchemaFor(dto, version) } }));
  assertUniqueNames(policies([PartDto], [PartDto, 2], [PartDto, 2]));
  expect(() => assertUniqueNames(policies([PartDto, 2], [PartV2Dto, 2]))).toThrow(
    'PartDto and PartV2Dto both get the schema name PartV2: rename one of them',
  );
  const Other = { PartDto: class extends PartV2Dto {} }.PartDto;
  expect(() => assertUniqueNames(policies([PartDto], [Other]))).toThrow('PartDto and PartDto');
});
