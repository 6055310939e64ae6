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

/** The operations of routes with these DTOs, `get0()` at `/api/parts0` and so on. */
const operations = (...shown: Parameters<typeof responseSchemaFor>[]) =>
  shown.map(([dto, version], index) => ({
    path: `/api/parts${index}`,
    policy: { handler: `PartsController.get${index}`, rowResponse: responseSchemaFor(dto, version) },
  }));

it('refuses two DTOs whose schemas have the same name, including the schemas of version 2', () => {
  assertUniqueNames(operations([PartDto], [PartDto, 2], [PartDto, 2]));
  expect(() => assertUniqueNames(operations([PartDto, 2], [PartV2Dto, 2]))).toThrow(
    'PartDto of PartsController.get0 at /api/parts0 and PartV2Dto of PartsController.get1 at /api/parts1 both get the ' +
      'schema name PartV2: rename one of them',
  );
  const Other = { PartDto: class extends PartV2Dto {} }.PartDto;
  expect(() => assertUniqueNames(operations([PartDto], [Other]))).toThrow(
    /^PartDto of .+ and PartDto of .+ rename one of them$/,
  );
});

it('names the routes that show one DTO with and without etag, if both schemas have the same name', () => {
  const message = (tagged: number, plain: number): string =>
    `PartsController.get${tagged} at /api/parts${tagged} shows PartV2Dto with etag, and PartsController.get${plain} at ` +
    `/api/parts${plain} without, but both get the schema name PartV2: give the DTO a name that does not end in a ` +
    'version, or respond with a subclass in one of them';
  expect(() => assertUniqueNames(operations([PartV2Dto, 2], [PartV2Dto]))).toThrow(message(0, 1));
  expect(() => assertUniqueNames(operations([PartV2Dto], [PartV2Dto, 2]))).toThrow(message(1, 0));
  class PartV1Dto extends PartV2Dto {}
  assertUniqueNames(operations([PartV1Dto], [PartV2Dto, 2]));
});
