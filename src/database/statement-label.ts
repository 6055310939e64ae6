/** Texts that are kept with their labels: lists have one for each combination of filters and sorts. */
const MAX_KEPT = 2_000;

/** Names that `statementName()` makes: they tell nothing to a reader. */
const DIGEST = /^q_/;
const VERB = /^\s*([a-z]+)/i;
/** The table of a statement, the one written to before those read. */
const TABLES = [
  /\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?(?:"?\w+"?\.)?"?(\w+)"?/i,
  /\bfrom\s+(?!unnest\b)(?:only\s+)?(?:"?\w+"?\.)?"?(\w+)"?/i,
];
const WRITE =
  /\b(insert)\s+into\b|\b(update)\s+(?:only\s+)?"?\w+"?\s+(?:as\s+\w+\s+)?set\b|\b(delete)\s+from\b/i;

const labels = new Map<string, string>();

/**
 * A readable name for a statement, the same for all that do the same to the same table: the name that it was given in
 * code, such as `sessions_find`, else its verb and table, such as `select products`. Values are never a part of it.
 */
export function statementLabel({ name, text }: { readonly name?: string; readonly text: string }): string {
  if (name !== undefined && !DIGEST.test(name)) return name;
  let label = labels.get(text);
  if (label === undefined) {
    label = labelOf(text);
    if (labels.size < MAX_KEPT) labels.set(text, label);
  }
  return label;
}

function labelOf(text: string): string {
  const [, insert, update, remove] = WRITE.exec(text) ?? [];
  const verb = (insert ?? update ?? remove ?? VERB.exec(text)?.[1] ?? 'other').toLowerCase();
  if (!['select', 'insert', 'update', 'delete', 'with'].includes(verb)) return verb;
  const table = TABLES.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
  const said = verb === 'with' ? 'select' : verb;
  return table === undefined ? said : `${said} ${table.toLowerCase()}`;
}
