import pg from 'pg';

/**
 * The option `types` of a `pg` client. The client then reads `bigint`, such as an id, as a number, as the service does.
 */
export const IDS_AS_NUMBERS = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
};
