import { parseArgs } from 'node:util';

import { UsageError } from '../usage-error.js';
import { FieldType, fieldTypeOf, TYPES } from './field-types.js';
import { columnOf, faultOfFieldName, Names, namesOf } from './names.js';

export interface FieldSpec {
  readonly name: string;
  readonly column: string;
  readonly type: FieldType;
  readonly isNullable: boolean;
  readonly isUnique: boolean;
}

/** A resource as the command line asks for it. */
export interface ResourceSpec {
  readonly names: Names;
  readonly fields: readonly FieldSpec[];
  /** The path of what its rows belong to: `products`. */
  readonly parent: string | undefined;
  /** Whether each row is of the user who created it. */
  readonly isOwned: boolean;
  readonly versions: readonly string[];
  readonly isDryRun: boolean;
  /** Whether docs/api-surface.txt is written, too. */
  readonly isDocumented: boolean;
}

export const USAGE = `npm run generate -- resource <plural> <field:type>… [options]

Writes a module with its migration and tests, and registers it: all of it, or nothing.

  npm run generate -- resource brands 'name:text(200)' 'country:text(100)?' 'founded:date?'
  npm run generate -- resource offers 'title:text(200)' 'price:money' --parent products --owner user

A field is name:type, with ? behind it where it may be null, and ! where no two rows may have the same value.
Types: ${TYPES.join(', ')}.

  --parent <plural>   the resource that each row belongs to: /products/{productId}/offers
  --owner user        rows are of the user who creates them, who may change and delete them
  --singular <word>   what one of them is called, where the rules of English do not tell: news-item, of news
  --versions <n,…>    the versions of the API that serve it; left out: all
  --no-documents      leaves docs/api-surface.txt to npm run openapi
  --dry-run           shows what would be written
  --help`;

/**
 * Reads the command line.
 *
 * @param served the versions of the API
 * @returns null where only help was asked for
 * @throws UsageError that names every fault
 */
export function readResourceSpec(args: readonly string[], served: readonly string[]): ResourceSpec | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [kind, plural, ...texts] = positionals;
  if (kind !== 'resource')
    throw new UsageError(`takes resource, and what it is called; got ${kind ?? 'nothing'}`);
  const faults: string[] = [];
  const take = <T extends object>(label: string, value: T | string): T | undefined => {
    if (typeof value !== 'string') return value;
    faults.push(`${label}: ${value}`);
    return undefined;
  };
  const names = take(plural ?? 'the name', namesOf(plural ?? '', values.singular));
  const fields = texts.map((text) => take(text, fieldOf(text)));
  if (texts.length === 0) faults.push('fields: takes at least one, such as name:text(200)');
  faults.push(...twice(fields.flatMap((field) => (field ? [field.column] : []))));
  faults.push(...faultsOfBelonging(values));
  const versions = values.versions?.split(',') ?? served;
  faults.push(...faultsOfVersions(versions, served));
  const columns = fields.map((field) => field?.column);
  if (values.owner && columns.includes('user_id')) faults.push('userId: is the field of --owner');
  if (plural !== undefined && values.parent === plural) faults.push('--parent: takes another resource');
  if (faults.length > 0 || !names) throw new UsageError(faults.join('\n'));
  return {
    names,
    fields: fields.filter((field) => field !== undefined),
    parent: values.parent,
    isOwned: values.owner === 'user',
    versions,
    isDryRun: values['dry-run'] ?? false,
    isDocumented: !values['no-documents'],
  };
}

function fieldOf(text: string): FieldSpec | string {
  const match = /^([^:]*):([a-z]+)(?:\(([^)]*)\))?([?!]*)$/.exec(text);
  if (!match) return 'takes name:type, such as name:text(200), with ? or ! behind it';
  const [, name = '', typeName = '', parameters, marks = ''] = match;
  const fault = faultOfFieldName(name);
  if (fault) return fault;
  if (!['', '?', '!', '?!', '!?'].includes(marks)) return 'takes ? and ! once each';
  const type = fieldTypeOf(typeName, parameters);
  if (typeof type === 'string') return type;
  if (marks.includes('!') && ['Flag', 'Choice'].includes(type.decorator))
    return 'has a few values only: it cannot be unique';
  return {
    name,
    column: columnOf(name),
    type,
    isNullable: marks.includes('?'),
    isUnique: marks.includes('!'),
  };
}

/** Rows are of the caller who creates them, and of rows of one resource: nothing else owns them. */
function* faultsOfBelonging({ owner, parent }: { owner?: string; parent?: string }): Generator<string> {
  if (owner !== undefined && owner !== 'user')
    yield `--owner ${owner}: takes user, for only users create rows (an API key does so as its user); rows that belong to those of another resource take --parent`;
  if (parent === 'users') yield '--parent users: takes --owner user';
}

const twice = (columns: readonly string[]): string[] =>
  [...new Set(columns.filter((column, i) => columns.indexOf(column) < i))].map(
    (column) => `${column}: is there twice`,
  );

function faultsOfVersions(versions: readonly string[], served: readonly string[]): string[] {
  const unknown = versions.filter((version) => !served.includes(version));
  if (unknown.length > 0) return [`--versions ${versions.join(',')}: takes some of ${served.join(',')}`];
  return new Set(versions).size < versions.length ? ['--versions: each once'] : [];
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        parent: text,
        owner: text,
        singular: text,
        versions: text,
        'dry-run': { type: 'boolean' },
        'no-documents': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
