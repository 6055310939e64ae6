import { EntityMetadata } from 'typeorm';

import { EntityTable } from '../src/database/entity-table.js';

/**
 * A table `lamps` with the given columns, such as `id integer, nick varchar null`. The column `secret` is
 * never selected.
 */
export const lampsTable = (columns: string, target?: unknown): EntityTable =>
  new EntityTable({
    target,
    tableName: 'lamps',
    columns: columns.split(', ').map((column) => {
      const [propertyName, type, nullable] = column.split(' ');
      return {
        propertyName,
        databaseName: propertyName,
        type,
        isNullable: nullable === 'null',
        isSelect: propertyName !== 'secret',
      };
    }),
    dataSource: { driver: { normalizeType: ({ type }: { type: string }) => type } },
  } as unknown as EntityMetadata);
