import { covers } from './type-cover.js';
import { partsOf } from './type-text.js';

/** A line of a surface, read back. */
interface Operation {
  readonly id: string;
  /** Who may call it; empty where the surface does not say. */
  readonly access: string;
  /** The schemes of authentication that it takes; absent where it takes all. */
  readonly schemes: readonly string[] | undefined;
  /** Their types by their names, which end in `!` where they are required. */
  readonly parameters: Fields;
  /** What it answers, by its status. */
  readonly answers: ReadonlyMap<string, Answer>;
}

interface Answer {
  readonly content: string;
  readonly headers: readonly string[];
}

const OPERATION = /^([A-Z]+ \/\S*) (\w+) (?:\[(.*?)(?: by (.*?))?\] )?\((.*)\) → (.*)$/;
/** Of schemas, errors and schemes of authentication: name and type. */
const SCHEMA = /^((?:error |scheme )?\w+) (.+)$/;
const SCHEME = /^scheme (\w+) /;

/**
 * What a client of one surface finds broken in a later one: see `surfaceOf`. Operations, parameters, fields, successes,
 * their headers, errors and schemes of authentication that are gone, names and defaults that are others, what has
 * become required, and operations that let fewer callers in or take fewer schemes. Of what clients send, types that
 * take less than they took; of what they are answered, types that may be more than they were.
 */
export function breakingChanges(before: readonly string[], after: readonly string[]): string[] {
  return [...changedOperations(before, after), ...changedSchemas(before, after)];
}

function changedOperations(before: readonly string[], after: readonly string[]): string[] {
  const now = operationsIn(after);
  const [allSchemes, oldSchemes] = [schemesIn(after), schemesIn(before)];
  return [...operationsIn(before)].flatMap(([where, old]) => {
    const operation = now.get(where);
    if (!operation) return [`${where}: is gone`];
    const { id, access, schemes = allSchemes, parameters, answers } = operation;
    const refused = (old.schemes ?? oldSchemes).filter((name) => !schemes.includes(name));
    return [
      ...(id === old.id ? [] : [`${where}: is called ${id}, was ${old.id}`]),
      ...(opens(access, old.access) ? [] : [`${where}: asks for ${access}, was ${old.access}`]),
      // A scheme that no operation takes is told once: it is gone.
      ...refused
        .filter((name) => access !== 'open' && allSchemes.includes(name))
        .map((name) => `${where}: no longer takes the scheme ${name}`),
      ...changedParameters(where, old.parameters, parameters),
      ...changedAnswers(where, old.answers, answers),
    ];
  });
}

function changedParameters(where: string, old: Fields, now: Fields): string[] {
  return [
    ...[...old].flatMap(([name, type]) =>
      changedParameter(`${where}: ${plain(name)}`, type, parameterIn(now, name, old)),
    ),
    ...[...now.keys()]
      .filter((name) => name.endsWith('!') && !old.has(name))
      .map((name) => `${where}: ${plain(name)} is required`),
  ];
}

function changedAnswers(where: string, old: Operation['answers'], now: Operation['answers']): string[] {
  return [...old].flatMap(([status, { content, headers }]) => {
    if (!status.startsWith('2')) return [];
    const answer = now.get(status);
    if (answer?.content !== content) return [`${where}: no longer answers ${`${status} ${content}`.trim()}`];
    return headers
      .filter((name) => !answer.headers.includes(name))
      .map((name) => `${where}: no longer answers ${status} with ${name}`);
  });
}

/**
 * A parameter that may have become required, or no longer be it, but is no other one of its name: of path and query.
 */
function parameterIn(now: Fields, name: string, old: Fields): string | undefined {
  const other = name.endsWith('!') ? plain(name) : `${name}!`;
  return now.get(name) ?? (old.has(other) ? undefined : now.get(other));
}

/** Whether whoever was let in still is: some alternative takes nothing that theirs did not. */
function opens(now: string, old: string): boolean {
  const alternatives = conditionsIn(now);
  return conditionsIn(old).every((had) =>
    alternatives.some((needed) => needed.every((condition) => had.includes(condition))),
  );
}

/** `read & staff | own`: the conditions of each alternative. `open` has none. */
const conditionsIn = (access: string): string[][] =>
  partsOf(access, ' | ').map((alternative) => (alternative === 'open' ? [] : alternative.split(' & ')));

/** A parameter may take more than it took. */
function changedParameter(where: string, old: string, now: string | undefined): string[] {
  if (now === undefined) return [`${where} is gone`];
  const [[type, byDefault], [oldType, oldDefault]] = [withoutDefault(now), withoutDefault(old)];
  return [
    ...(covers(type, oldType) ? [] : [`${where} is ${type}, was ${oldType}`]),
    ...changedDefault(where, oldDefault, byDefault),
  ];
}

/** `integer(1..) = 20`: the type, and the default. */
function withoutDefault(text: string): [type: string, byDefault: string | undefined] {
  const [type = '', byDefault] = partsOf(text, ' = ');
  return [type, byDefault];
}

const changedDefault = (where: string, old: string | undefined, now: string | undefined): string[] =>
  old === undefined || old === now ? [] : [`${where} defaults to ${now ?? 'nothing'}, was ${old}`];

const plain = (name: string): string => name.replace(/!$/, '');

function operationsIn(lines: readonly string[]): Map<string, Operation> {
  const found = lines.flatMap((line) => {
    const [, where, id, access = '', schemes, parameters = '', answers = ''] = OPERATION.exec(line) ?? [];
    if (where === undefined || id === undefined) return [];
    const operation = {
      id,
      access,
      schemes: schemes?.split(', '),
      parameters: fieldsIn(`{ ${parameters} }`),
      answers: new Map(partsOf(answers, '; ').map(answerIn)),
    };
    return [[where, operation] as const];
  });
  return new Map(found);
}

/** `200 ProductPage with ETag, Link`, `204`. */
function answerIn(text: string): [status: string, answer: Answer] {
  const [answer = '', headers = ''] = partsOf(text, ' with ');
  const [status = '', ...content] = answer.split(' ');
  return [status, { content: content.join(' '), headers: partsOf(headers, ', ') }];
}

const schemesIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => SCHEME.exec(line)?.[1] ?? []);

function changedSchemas(before: readonly string[], after: readonly string[]): string[] {
  const now = schemasIn(after);
  const uses: Uses = {
    sent: heldBy(after, now, /\bbody: (.*)\) → /),
    answered: heldBy(after, now, / → (.*)$/),
  };
  return [...schemasIn(before)].flatMap(([name, old]) => {
    const schema = now.get(name);
    if (schema === undefined) return [`${name}: is gone`];
    if (schema === old) return [];
    const [fields, oldFields] = [fieldsIn(schema), fieldsIn(old)];
    if (oldFields.size === 0) return changedType(name, old, schema, dutiesOf(name, uses));
    return changedFields(name, oldFields, fields, uses);
  });
}

function changedFields(name: string, old: Fields, now: Fields, uses: Uses): string[] {
  const duties = dutiesOf(name, uses);
  const added = [...now.keys()].filter((field) => field.endsWith('!') && !old.has(field));
  return [
    ...[...old].flatMap(([field, type]) =>
      changedType(`${name}.${plain(field)}`, type, typeIn(now, field), duties),
    ),
    // Of what a response shows, more is no harm.
    ...added.filter(() => uses.sent.has(name)).map((field) => `${name}.${plain(field)}: is required`),
    ...(duties.isAnswered ? optional(name, now, old) : []),
  ];
}

/** The schemas that clients send, and those that they are answered. */
interface Uses {
  readonly sent: ReadonlySet<string>;
  readonly answered: ReadonlySet<string>;
}

/** What must hold of the types of a schema. Where nothing tells who sends it, both. */
interface Duties {
  /** Clients send it: it takes what it took. */
  readonly isSent: boolean;
  /** Clients read it: it is nothing that it was not. */
  readonly isAnswered: boolean;
}

function dutiesOf(name: string, { sent, answered }: Uses): Duties {
  const isKnown = sent.has(name) || answered.has(name);
  return { isSent: !isKnown || sent.has(name), isAnswered: !isKnown || answered.has(name) };
}

function changedType(where: string, old: string, now: string | undefined, duties: Duties): string[] {
  if (now === undefined) return [`${where}: is gone`];
  const { isSent, isAnswered } = duties;
  const [[type, byDefault], [oldType, oldDefault]] = [withoutDefault(now), withoutDefault(old)];
  const isKept = (!isSent || covers(type, oldType)) && (!isAnswered || covers(oldType, type));
  return [
    ...(isKept ? [] : [`${where}: is ${type}, was ${oldType}`]),
    ...changedDefault(`${where}:`, oldDefault, byDefault),
  ];
}

/** The schemas that operations name in some place, and those that they hold. */
function heldBy(
  lines: readonly string[],
  schemas: ReadonlyMap<string, string>,
  place: RegExp,
): ReadonlySet<string> {
  const operations = lines.filter((line) => OPERATION.test(line));
  const held = new Set(operations.flatMap((line) => namesIn(place.exec(line)?.[1] ?? '', schemas)));
  // A set that grows while it is walked is walked to its end.
  for (const schema of held) for (const name of namesIn(schemas.get(schema) ?? '', schemas)) held.add(name);
  return held;
}

/** The schemas that a text names outside of quotes. */
const namesIn = (text: string, schemas: ReadonlyMap<string, string>): string[] =>
  (text.match(/"(?:[^"\\]|\\.)*"|\w+/g) ?? []).filter((word) => schemas.has(word));

/** Fields of responses that were always there, and may now be absent. */
const optional = (name: string, fields: Fields, old: Fields): string[] =>
  [...old.keys()]
    .filter((field) => field.endsWith('!') && fields.has(plain(field)))
    .map((field) => `${name}.${plain(field)}: may be absent`);

type Fields = ReadonlyMap<string, string>;

const typeIn = (fields: Fields, field: string): string | undefined =>
  fields.get(`${plain(field)}!`) ?? fields.get(plain(field));

function schemasIn(lines: readonly string[]): Map<string, string> {
  const schemas = lines.filter((line) => !OPERATION.test(line)).map((line) => SCHEMA.exec(line));
  return new Map(schemas.flatMap((match) => (match ? [[match[1] as string, match[2] as string]] : [])));
}

/** The fields of `{ id!: integer, user: { … } }`, without those of what is nested. */
function fieldsIn(schema: string): Fields {
  if (!/^\{.*\}$/.test(schema)) return new Map();
  const fields = partsOf(schema.slice(1, -1).trim(), ', ');
  return new Map(
    fields.map((field) => {
      const colon = field.indexOf(': ');
      return [field.slice(0, colon), field.slice(colon + 2)] as const;
    }),
  );
}
