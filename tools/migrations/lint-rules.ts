/** The rules that a migration keeps while instances of the last release serve, each with what to do instead. */
export const LINT_RULES = {
  'index-blocks-writes':
    'the table takes no writes while the index is built: create index concurrently, with `readonly transaction = false`',
  'constraint-scans':
    'the table is locked while every row is checked: add it `not valid`, and `validate constraint` in a migration of its own; a key uses an index that was built concurrently',
  'not-null-scans':
    'the table is locked while every row is checked: add `check (column is not null) not valid`, validate it, then set not null',
  'rewrites-table':
    'the table is locked while it is written anew: add another column, fill it in batches, and drop the old one in a later release',
  'updates-all-rows':
    'rows stay locked until the migration commits: fill in batches, each committed, with `readonly transaction = false`',
  'drops-what-is-read':
    'the last release reads and writes it: stop using it in one release, drop it in the next, and name that release in the waiver',
  'refuses-old-writes':
    'the last release does not write it: give it a default or let it be null until the next release',
} as const;

export type LintRule = keyof typeof LINT_RULES;

/** A statement that breaks a rule. */
export interface Finding {
  readonly rule: LintRule;
  /** The table, or `table.column`. */
  readonly subject: string;
}

const NAME = String.raw`(?:only )?(?:if (?:not )?exists )?(?:public\.)?(\w+)`;

/** Comments, bodies of functions and literals: whichever begins first, what looks like another within it is none. */
const NO_CODE = /--.*$|\/\*[^]*?\*\/|\$(\w*)\$[^]*?\$\1\$|'(?:[^']|'')*'/gm;

/** The body of a `do` block, which runs at once. */
const DO_BLOCK = /\bdo\s+(?:language\s+\w+\s+)?\$(\w*)\$([^]*?)\$\1\$/gi;
/** What stands before a statement of PL/pgSQL on the same line: keywords of control, and `execute` of a literal. */
const CONTROL =
  /^(?:begin|declare|loop|else|then|(?:if|elsif|for|while|foreach|exception|when)\b.*?\b(?:then|loop)) +/;

/**
 * The statements of a query, without comments, quotes of names, and what stands in literals and bodies of functions.
 * The body of a `do` block is looked into, and what it has executed from a literal.
 */
export function statementsIn(query: string): string[] {
  const blocks = [...withoutComments(query).matchAll(DO_BLOCK)].map(([, , body = '']) => body);
  return [...plainStatementsIn(query), ...blocks.flatMap(statementsOfBlock)];
}

function statementsOfBlock(body: string): string[] {
  const executed = [...body.matchAll(/\bexecute\s+(?:format\s*\(\s*)?'((?:[^']|'')*)'/gi)].map(
    ([, text = '']) => text.replaceAll("''", "'"),
  );
  const direct = plainStatementsIn(body).map((statement) => {
    let rest = statement;
    while (CONTROL.test(rest)) rest = rest.replace(CONTROL, '');
    return rest;
  });
  return [...direct, ...executed.flatMap(statementsIn)];
}

const withoutComments = (text: string): string => text.replaceAll(/--.*$|\/\*[^]*?\*\//gm, ' ');

function plainStatementsIn(query: string): string[] {
  return query
    .replaceAll(NO_CODE, (found) => (/^(?:--|\/\*)/.test(found) ? ' ' : "''"))
    .replaceAll('"', '')
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' ').toLowerCase())
    .filter((statement) => statement !== '');
}

/**
 * The rules that a statement breaks, as far as its text shows. The caller leaves out tables that the same migration has
 * made.
 *
 * @param statement one of `statementsIn`
 */
export function findingsIn(statement: string): Finding[] {
  const [, table = '', actions = ''] = new RegExp(`^alter table ${NAME} (.*)$`).exec(statement) ?? [];
  if (table !== '') return splitActions(actions).flatMap((action) => ofAction(table, action));
  const match = (pattern: string): string | undefined => new RegExp(pattern).exec(statement)?.[1];
  const found: [LintRule, string | undefined][] = [
    ['index-blocks-writes', match(`^create (?:unique )?index (?!concurrently ).*?\\bon ${NAME}`)],
    ['drops-what-is-read', match(`^drop (?:table|view|materialized view) ${NAME}`)],
    ['drops-what-is-read', match(`^alter view ${NAME} rename`)],
    ['rewrites-table', match(`^(?:cluster|vacuum full|reindex table) ${NAME}`)],
    ['updates-all-rows', match(`^(?:with .*?\\) )?(?:update|delete from) ${NAME}`)],
    ['updates-all-rows', match(`^with .*?\\((?:update|delete from) ${NAME}`)],
  ];
  return found.flatMap(([rule, subject]) => (subject === undefined ? [] : [{ rule, subject }]));
}

/** The actions of an `alter table`, which commas outside of parentheses part. */
function splitActions(actions: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (const [at, character] of [...actions].entries()) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character !== ',' || depth > 0) continue;
    parts.push(actions.slice(begin, at));
    begin = at + 1;
  }
  return [...parts, actions.slice(begin)].map((part) => part.trim());
}

function ofAction(table: string, action: string): Finding[] {
  const match = (pattern: string): string | undefined => new RegExp(pattern).exec(action)?.[1];
  const findings: Finding[] = [];
  const add = (rule: LintRule, subject: string): void => {
    findings.push({ rule, subject });
  };
  const column = match(`^add (?:column )?(?!constraint |check|unique|primary |foreign |exclude )${NAME}`);
  if (column === undefined) {
    const isKey = /^add .*?\b(?:unique|primary key|exclude)\b/.test(action);
    if (isKey && !action.includes(' using index ')) add('constraint-scans', table);
    const isCheck = /^add .*?\b(?:check|foreign key)\b/.test(action);
    if (isCheck && !isKey && !action.endsWith(' not valid')) add('constraint-scans', table);
  } else {
    const isRequired = /\bnot null\b/.test(action) && !/\bdefault\b|\bgenerated\b/.test(action);
    if (isRequired) add('refuses-old-writes', `${table}.${column}`);
    if (/\b(?:unique|primary key)\b/.test(action)) add('constraint-scans', table);
  }
  const required = match(`^alter (?:column )?(\\w+) set not null`);
  if (required !== undefined) add('not-null-scans', `${table}.${required}`);
  const undefaulted = match(`^alter (?:column )?(\\w+) drop default`);
  if (undefaulted !== undefined) add('refuses-old-writes', `${table}.${undefaulted}`);
  const dropped =
    match(`^drop (?:column )?(?!constraint )${NAME}`) ??
    match(`^rename (?:column )?(?!to |constraint )(\\w+) to `);
  if (dropped !== undefined) add('drops-what-is-read', `${table}.${dropped}`);
  if (/^rename to /.test(action)) add('drops-what-is-read', table);
  return findings;
}
