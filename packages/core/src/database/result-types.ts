import { CustomTypesConfig, types } from 'pg';

/**
 * Makes `pg` return `bigint` as a number, because ids are numbers. If a number cannot hold a value exactly, the value
 * stays text. All other types are read as by default. Only `SqlExecutor.query()` reads results in this way. TypeORM
 * uses the same connections, but reads `bigint` as text.
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
