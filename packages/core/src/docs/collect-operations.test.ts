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
    shown.map(([dto, isTagged]) => ({ policy: { rowResponse: responseSchemaFor(dto, isTagged) } }));
  assertUniqueNames(policies([PartDto, false], [PartDto, true], [PartDto, true]));
  expect(() => assertUniqueNames(policies([PartDto, true], [PartV2Dto, true]))).toThrow(
    'PartDto and PartV2Dto both give PartV2: rename one of them',
  );
  const Other = { PartDto: class extends PartV2Dto {} }.PartDto;
  expect(() => assertUniqueNames(policies([PartDto, false], [Other, false]))).toThrow('PartDto and PartDto');
});
