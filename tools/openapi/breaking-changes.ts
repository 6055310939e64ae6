/** A line of a surface, read back. */
interface Operation {
  readonly id: string;
  /** Their types by their names, which end in `!` where they are required. */
  readonly parameters: Fields;
  readonly answers: readonly string[];
}

const OPERATION = /^([A-Z]+ \/\S*) (\w+) \((.*)\) → (.*)$/;
const SCHEMA = /^(\w+) (.+)$/;

/**
 * What a client of one surface finds broken in a later one: see `surfaceOf`. Operations, parameters, fields and
 * successes that are gone, names and types that are others, and what has become required.
 */
export function breakingChanges(before: readonly string[], after: readonly string[]): string[] {
  return [...changedOperations(before, after), ...changedSchemas(before, after)];
}

function changedOperations(before: readonly string[], after: readonly string[]): string[] {
  const now = operationsIn(after);
  return [...operationsIn(before)].flatMap(([where, old]) => {
    const operation = now.get(where);
    if (!operation) return [`${where}: is gone`];
    const { id, parameters, answers } = operation;
    return [
      ...(id === old.id ? [] : [`${where}: is called ${id}, was ${old.id}`]),
      ...[...old.parameters].flatMap(([name, type]) =>
        changedParameter(`${where}: ${plain(name)}`, type, typeIn(parameters, name)),
      ),
      ...[...parameters.keys()]
        .filter((name) => name.endsWith('!') && !old.parameters.has(name))
        .map((name) => `${where}: ${plain(name)} is required`),
      ...old.answers
        .filter((answer) => /^2/.test(answer) && !answers.includes(answer))
        .map((answer) => `${where}: no longer answers ${answer}`),
    ];
  });
}

/** A parameter may take more than it took. */
function changedParameter(where: string, old: string, now: string | undefined): string[] {
  if (now === undefined) return [`${where} is gone`];
  const taken = partsOf(now, ' | ');
  return partsOf(old, ' | ').every((part) => taken.includes(part)) ? [] : [`${where} is ${now}, was ${old}`];
}

const plain = (name: string): string => name.replace(/!$/, '');

function operationsIn(lines: readonly string[]): Map<string, Operation> {
  const found = lines.flatMap((line) => {
    const [, where, id, parameters = '', answers = ''] = OPERATION.exec(line) ?? [];
    if (where === undefined || id === undefined) return [];
    return [
      [where, { id, parameters: fieldsIn(`{ ${parameters} }`), answers: partsOf(answers, '; ') }] as const,
    ];
  });
  return new Map(found);
}

const partsOf = (text: string, separator: string): string[] => (text === '' ? [] : text.split(separator));

function changedSchemas(before: readonly string[], after: readonly string[]): string[] {
  const now = schemasIn(after);
  const bodies = bodiesIn(after, now);
  return [...schemasIn(before)].flatMap(([name, old]) => {
    const schema = now.get(name);
    if (schema === undefined) return [`${name}: is gone`];
    if (schema === old) return [];
    const [fields, oldFields] = [fieldsIn(schema), fieldsIn(old)];
    if (oldFields.size === 0) return [`${name}: is ${schema}, was ${old}`];
    const added = [...fields].filter(([field]) => field.endsWith('!') && !oldFields.has(field));
    return [
      ...[...oldFields].flatMap(([field, type]) =>
        changedField(`${name}.${plain(field)}`, type, typeIn(fields, field)),
      ),
      // Of what a response shows, more is no harm.
      ...added.filter(() => bodies.has(name)).map(([field]) => `${name}.${plain(field)}: is required`),
      ...(bodies.has(name) ? [] : optional(name, fields, oldFields)),
    ];
  });
}

/** The schemas of bodies, and those that they hold. */
function bodiesIn(lines: readonly string[], schemas: ReadonlyMap<string, string>): ReadonlySet<string> {
  const bodies = new Set(lines.flatMap((line) => /^[A-Z]+ \/.*\bbody: (\w+)/.exec(line)?.[1] ?? []));
  // A set that grows while it is walked is walked to its end.
  for (const body of bodies)
    for (const [name] of (schemas.get(body) ?? '').matchAll(/\b[A-Z]\w+/g))
      if (schemas.has(name)) bodies.add(name);
  return bodies;
}

/** Fields of responses that were always there, and may now be absent. */
const optional = (name: string, fields: Fields, old: Fields): string[] =>
  [...old.keys()]
    .filter((field) => field.endsWith('!') && fields.has(plain(field)))
    .map((field) => `${name}.${plain(field)}: may be absent`);

type Fields = ReadonlyMap<string, string>;

const typeIn = (fields: Fields, field: string): string | undefined =>
  fields.get(`${plain(field)}!`) ?? fields.get(plain(field));

const changedField = (where: string, old: string, now: string | undefined): string[] =>
  now === old ? [] : [now === undefined ? `${where}: is gone` : `${where}: is ${now}, was ${old}`];

function schemasIn(lines: readonly string[]): Map<string, string> {
  const schemas = lines.filter((line) => !OPERATION.test(line)).map((line) => SCHEMA.exec(line));
  return new Map(schemas.flatMap((match) => (match ? [[match[1] as string, match[2] as string]] : [])));
}

/** The fields of `{ id!: integer, user: { … } }`, without those of what is nested. */
function fieldsIn(schema: string): Fields {
  if (!/^\{.*\}$/.test(schema)) return new Map();
  const fields: string[] = [''];
  let depth = 0;
  for (const character of schema.slice(1, -1)) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (character === ',' && depth === 0) fields.push('');
    else fields.push((fields.pop() ?? '') + character);
  }
  const named = fields.filter((field) => field.trim() !== '');
  return new Map(
    named.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).trim(), field.slice(colon + 1).trim()] as const;
    }),
  );
}
