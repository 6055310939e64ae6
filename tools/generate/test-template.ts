import { withArticle } from '../../src/resources/words.js';
import { ProjectFile } from '../project-files.js';
import { errorsOf } from './module-errors.js';
import { literal, Plan } from './module-templates.js';
import { FieldSpec } from './resource-spec.js';

/** A text that no other run makes, as TypeScript. */
const UNIQUE = `\`\${RUN} \${n}\``;

/** The shortest unique text that has room for what tells one run of the tests from another. */
const ROOM = 12;

/** A value of a field as TypeScript, of the number `n`. */
function valueOf({ type, isUnique }: FieldSpec): string {
  if (type.type === 'boolean') return 'n % 2 === 1';
  const samples = [1, 2, 3, 4].map((n) => literal(type.sample(n)));
  const max = Number(/^max: (\d+)$/.exec(type.options[0] ?? '')?.[1] ?? 0);
  if (isUnique && max >= ROOM) return UNIQUE;
  return `[${samples.join(', ')}][n % 4]`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The end-to-end tests of a generated resource, unformatted. */
export function testFile(plan: Plan): ProjectFile {
  const { spec } = plan;
  const { names } = spec;
  const version = `v${spec.versions.at(-1) ?? '1'}`;
  const parts = [
    header(plan),
    setUp(plan, version),
    lifeCycle(plan),
    access(plan),
    LISTS,
    CONDITIONS,
    IDEMPOTENCY,
    ...faults(plan),
    ...nested(plan, version),
    '});\n',
  ];
  const text = parts.join('\n');
  return { path: `test/e2e/${names.plural}.test.ts`, text };
}

const usesRun = ({ spec: { fields } }: Plan): boolean =>
  fields.some((field) => valueOf(field).includes('RUN'));

function header(plan: Plan): string {
  const { spec } = plan;
  const hasFaults = spec.fields.some(({ isNullable, type }) => !isNullable || type.refused);
  return `${usesRun(plan) ? `import { randomBytes } from 'node:crypto';\n\n` : ''}import { startApp, TestApp } from '../support/app.js';
import { Answer, Client } from '../support/client.js';
${spec.parent ? `import { exampleBody } from '../support/examples.js';\n` : ''}import { errorOf${hasFaults ? ', faultsOf' : ''} } from '../support/products.js';

${usesRun(plan) ? `/** No other run has it. */\nconst RUN = randomBytes(4).toString('hex');\n\n` : ''}/** A body; \`n\` tells one from another. */
const body = (n: number): object => ({
${spec.fields.map((field) => `  ${field.name}: ${valueOf(field)},`).join('\n')}
});

interface Row {
  readonly id: number;
}

const idOf = (answer: Answer): number => (answer.body as Row).id;
const idsOf = (answer: Answer): number[] => (answer.body as { data: Row[] }).data.map(({ id }) => id);
`;
}

function setUp(plan: Plan, version: string): string {
  const { names } = plan.spec;
  const { parent } = plan.surroundings;
  const collection = parent
    ? `\`/api/${version}/${parent.path}/\${await createParent()}/${names.plural}\``
    : `'/api/${version}/${names.plural}'`;
  const createParent = parent
    ? `
  /** ${capital(withArticle(parent.word))} that is removed, with all that belongs to it, when the tests end. */
  async function createParent(): Promise<number> {
    const path = '/api/${version}/${parent.path}';
    const created = await admin.post(path, await exampleBody(app.baseUrl, path));
    expect([created.status, created.text]).toEqual([201, expect.anything()]);
    made.push(created.headers.get('location')!);
    return idOf(created);
  }
`
    : '';
  return `describe('${names.words}', () => {
  let app: TestApp;
  let admin: Client;
  let viewer: Client;
  let collection: string;
  const made: string[] = [];

  beforeAll(async () => {
    app = await startApp();
    [admin, viewer] = [await app.as('admin'), await app.as('viewer')];
    collection = ${collection};
  });
  afterAll(async () => {
    for (const path of made.reverse()) await admin.delete(path);
    await app.stop();
  });
${createParent}
  /** One that is removed when the tests end. */
  async function create(n: number, client = admin, headers = {}): Promise<{ path: string; etag: string; answer: Answer }> {
    const answer = await client.post(collection, body(n), headers);
    expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
    const path = answer.headers.get('location')!;
    made.push(path);
    return { path, etag: answer.headers.get('etag')!, answer };
  }
`;
}

function lifeCycle(plan: Plan): string {
  const { fields, names } = plan.spec;
  const first = fields[0] as FieldSpec;
  const nullable = fields.filter(({ isNullable }) => isNullable).map(({ name }) => name);
  const left = (value: string): string =>
    nullable.length === 0
      ? 'body(2)'
      : `{ ...body(2), ${nullable.map((name) => `${name}: ${value}`).join(', ')} }`;
  return `  it('are created, read, replaced, changed and deleted', async () => {
    const { path, answer } = await create(1);
    expect(path).toBe(\`\${collection}/\${idOf(answer)}\`);
    expect(answer.body).toMatchObject(body(1));
    expect((await admin.get(path)).body).toEqual(answer.body);
    const replaced = await admin.put(path, ${left('undefined')});
    expect(replaced.body).toMatchObject(${left('null')});
    const { ${first.name}: value } = body(1) as { ${first.name}: unknown };
    const patch = { ${first.name}: value };
    expect((await admin.patch(path, patch)).body).toMatchObject(patch);
    expect((await admin.delete(path)).status).toBe(204);
    expect(errorOf(await admin.get(path))).toBe('404 ${names.code}_NOT_FOUND');
  });
`;
}

function access({ spec }: Plan): string {
  const { isOwned, names } = spec;
  if (!isOwned) {
    return `  it('are read by every role, written by those that may, and by nobody without credentials', async () => {
    const { path } = await create(1);
    expect((await viewer.get(path)).status).toBe(200);
    expect(errorOf(await viewer.post(collection, body(2)))).toBe('403 PERMISSION_DENIED');
    expect(errorOf(await viewer.delete(path))).toBe('403 PERMISSION_DENIED');
    expect(errorOf(await app.anonymous.get(path))).toBe('401 AUTHENTICATION_REQUIRED');
    expect(errorOf(await app.anonymous.post(collection, body(2)))).toBe('401 AUTHENTICATION_REQUIRED');
    expect((await admin.delete(path)).status).toBe(204);
  });
`;
  }
  return `  it('are written by any user, and changed and deleted by who wrote them', async () => {
    const { path } = await create(1, viewer);
    const other = await app.as('viewer');
    expect((await other.get(path)).status).toBe(200);
    expect(errorOf(await other.put(path, body(2)))).toBe('403 PERMISSION_DENIED');
    expect(errorOf(await other.delete(path))).toBe('403 PERMISSION_DENIED');
    expect(errorOf(await app.anonymous.post(collection, body(2)))).toBe('401 AUTHENTICATION_REQUIRED');
    expect((await viewer.put(path, body(2))).body).toMatchObject(body(2));
    expect((await viewer.delete(path)).status).toBe(204);
    expect(errorOf(await viewer.get(path))).toBe('404 ${names.code}_NOT_FOUND');
  });
`;
}

const LISTS = `  it('are listed by page and by cursor', async () => {
    const ids: number[] = [];
    for (const n of [1, 2, 3]) ids.push(idOf((await create(n)).answer));
    const page = await admin.get(\`\${collection}?limit=2\`);
    expect(idsOf(page)).toEqual([ids[2], ids[1]]);
    const { pagination } = page.body as { pagination: { page: number; limit: number; total: number } };
    expect(pagination).toMatchObject({ page: 1, limit: 2 });
    expect(pagination.total).toBeGreaterThanOrEqual(3);
    const walked: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part: Answer = await admin.get(\`\${collection}?sort=createdAt:asc&limit=2&cursor=\${cursor}\`);
      walked.push(...idsOf(part));
      cursor = (part.body as { pagination: { nextCursor: string | null } }).pagination.nextCursor;
    }
    expect(walked.filter((id) => ids.includes(id))).toEqual(ids);
    for (const path of made.splice(-3)) await admin.delete(path);
  });
`;

const CONDITIONS = `  it('are revalidated, and written on conditions', async () => {
    const { path, etag } = await create(1);
    expect((await admin.get(path, { 'if-none-match': etag })).status).toBe(304);
    const changed = await admin.put(path, body(2), { 'if-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(errorOf(await admin.put(path, body(3), { 'if-match': etag }))).toBe('412 PRECONDITION_FAILED');
    expect((await admin.get(path, { 'if-none-match': etag })).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(204);
  });
`;

const IDEMPOTENCY = `  it('are created once for one Idempotency-Key', async () => {
    const key = { 'idempotency-key': \`\${Date.now()}-\${Math.random()}\` };
    const { path, answer } = await create(1, admin, key);
    const again = await admin.post(collection, body(1), key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(answer.body);
    expect((await admin.delete(path)).status).toBe(204);
  });
`;

function faults(plan: Plan): string[] {
  const { fields } = plan.spec;
  const required = fields.filter(({ isNullable }) => !isNullable).map(({ name }) => `${name} REQUIRED`);
  const refused = fields.filter(({ type }) => type.refused);
  const taken = errorsOf(plan.spec).filter(({ status }) => status === 409);
  return [
    ...(required.length > 0
      ? [
          `  it('need what is required, and take no fields that nobody knows', async () => {
    expect(faultsOf(await admin.post(collection, { unknown: 1 })).sort()).toEqual([${[
      ...required,
      'unknown UNKNOWN_FIELD',
    ]
      .sort()
      .map((fault) => `'${fault}'`)
      .join(', ')}]);
  });
`,
        ]
      : []),
    ...(refused.length > 0
      ? [
          `  it.each([
${refused.map(({ name, type: { refused: [value, code] = [0, ''] } }) => `    ['${name} ${code}', { ${name}: ${longLiteral(value)} }],`).join('\n')}
  ])('refuse %s', async (fault, values) => {
    const answer = await admin.post(collection, { ...body(1), ...values });
    expect([errorOf(answer), faultsOf(answer)]).toEqual(['422 UNPROCESSABLE_ENTITY', [fault]]);
  });
`,
        ]
      : []),
    ...(taken.length > 0
      ? [
          `  it.each([${taken.map(({ field, code }) => `['${field ?? ''}', '${code}']`).join(', ')}])('refuse the %s that another one has', async (field, code) => {
    const { path } = await create(4);
    const { [field]: taken } = body(4) as Record<string, unknown>;
    expect(errorOf(await admin.post(collection, { ...body(3), [field]: taken }))).toBe(\`409 \${code}\`);
    expect((await admin.delete(path)).status).toBe(204);
  });
`,
        ]
      : []),
  ];
}

const longLiteral = (value: string | number): string =>
  typeof value === 'string' && /^x+$/.test(value) ? `'x'.repeat(${value.length})` : literal(value);

function nested(plan: Plan, version: string): string[] {
  const { names } = plan.spec;
  const { parent } = plan.surroundings;
  if (!parent) return [];
  return [
    `  it('are there under what they belong to only', async () => {
    const { answer } = await create(1);
    const other = await createParent();
    expect(errorOf(await admin.get(\`/api/${version}/${parent.path}/\${other}/${names.plural}/\${idOf(answer)}\`))).toBe('404 ${names.code}_NOT_FOUND');
    expect(idsOf(await admin.get(\`/api/${version}/${parent.path}/\${other}/${names.plural}\`))).toEqual([]);
    expect(errorOf(await admin.get('/api/${version}/${parent.path}/2147483647/${names.plural}'))).toBe('404 ${parent.notFound}');
  });
`,
  ];
}
