import { DefaultNamingStrategy, Table } from 'typeorm';

const snakeCase = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** Names as migrations write them: columns in snake_case, constraints as PostgreSQL itself would name them. */
export class NamingStrategy extends DefaultNamingStrategy {
  override columnName(property: string, given: string | undefined, prefixes: string[]): string {
    return [...prefixes.map(snakeCase), given ?? snakeCase(property)].join('_');
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_fkey`;
  }

  override indexName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_idx`;
  }
}
