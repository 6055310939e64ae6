import { getMetadataArgsStorage } from 'typeorm';

import '../../src/app.module.js';
import { PickOf } from '../../packages/core/src/fields/derive.js';
import { FieldClass } from '../../packages/core/src/fields/field.js';

describe('columns that hold secrets', () => {
  const secrets = getMetadataArgsStorage().columns.filter(({ options }) => options.select === false);

  it('are not selected by default', () => {
    const names = secrets.map(({ target, propertyName }) => `${(target as FieldClass).name}.${propertyName}`);
    expect([...new Set(names)].sort()).toEqual(['AccountEntity.passwordHash', 'ApiKey.digest']);
  });

  it('cannot be used as fields of a DTO', () => {
    for (const { target, propertyName } of secrets)
      expect(() => PickOf(target as FieldClass, [propertyName as never])).toThrow(
        `has no field ${propertyName}`,
      );
  });
});
