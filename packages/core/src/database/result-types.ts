import { CustomTypesConfig, types } from 'pg';

/**
 * How `pg` reads the results of our statements: as usual, but `bigint` as a number, because ids are numbers. A value that
 * a number cannot hold exactly stays text. Only statements of `SqlExecutor.query()` are read in this way: TypeORM reads
 * on the same connections as it does everywhere.
 */
export const RESULT_TYPES: CustomTypesConfig = {
  getTypeParser(oid, format): (value: string) => unknown {
    const isBigint = oid === types.builtins.INT8 && format !== 'binary';
    return isBigint ? readBigint : (types.getTypeParser(oid, format) as (value: string) => unknown);
  },
};

function readBigint(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}
