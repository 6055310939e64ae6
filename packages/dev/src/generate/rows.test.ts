import { plannedFiles } from './files.js';
import { readResourceSpec, ResourceSpec } from './resource-spec.js';
import { limitsEveryone } from './rows.js';
import { findParent } from './surroundings.js';

const ROOT = process.cwd();

const read = (...args: string[]): ResourceSpec => readResourceSpec(['resource', ...args], ['1', '2']);

describe('a generated module of a project with attributes', () => {
  const staffOr = (values: string): string =>
    `rows: ({ caller }) => (caller.isStaff ? ALL_ROWS : { ${values} })`;
  const DEFAULT = staffOr('id: null');
  const COMPANY = staffOr('companyId: caller.attributes.companyId');
  const OWN = staffOr('userId: caller.userId');
  const PARENT = `rows: rowsOf(PRODUCTS, 'productId')`;
  const EVERYONE = 'rows: () => ALL_ROWS';

  // A viewer without attributes in the generated tests.
  const STAFF = /are read by staff roles,[^]*?viewer\.get\(path\)\)\.status\)\.toBe\(403\)/;
  const ALL = /are read by every role,[^]*?viewer\.get\(path\)\)\.status\)\.toBe\(200\)/;
  const CONCERNED = /are read by those whom they concern,[^]*?viewer\.get\(path\)\)\.status\)\.toBe\(404\)/;
  const OWNERS = /are created by any user,[^]*?other\.get\(path\)\)\.status\)\.toBe\(404\)/;
  const OPEN = /are created by any user,[^]*?other\.get\(path\)\)\.status\)\.toBe\(200\)/;
  const FEW = /are created only by users whom they concern,/;

  it.each([
    ['', DEFAULT, STAFF],
    ['--read staff', DEFAULT, STAFF],
    ['--read everyone', EVERYONE, ALL],
    ['--owner user', OWN, OWNERS],
    ['--owner user --read everyone', EVERYONE, OPEN],
    ['companyId:integer', COMPANY, STAFF],
    ['companyId:integer --read everyone', COMPANY, CONCERNED],
    ['companyId:integer --owner user', COMPANY, FEW],
    ['companyId:integer --parent products', COMPANY, STAFF],
    ['--parent products', PARENT, STAFF],
    ['--parent products --read everyone', PARENT, CONCERNED],
    ['--parent products --read everyone', PARENT, ALL, true],
    ['--parent products --owner user', PARENT, FEW],
    ['--parent products --owner user', PARENT, OWNERS, true],
  ])('declares its rows: %s', (args, rows, test, isParentOfEverybody = false) => {
    const spec = read('brands', 'name:text(200)', ...args.split(' ').filter(Boolean));
    const found = findParent(ROOT, spec);
    const parent = found && { ...found, concernsEverybody: isParentOfEverybody };
    const files = plannedFiles(ROOT, spec, parent, ['companyId']);
    const textOf = (end: string): string => files.find(({ path }) => path.endsWith(end))!.text;
    expect(textOf('.resource.ts')).toContain(`  ${rows},\n};`);
    expect(textOf('.resource.ts').split(' } from ')[0]).toMatch(rows === PARENT ? /rowsOf/ : /ALL_ROWS/);
    expect(textOf('.resource.ts').includes('// Staff sees all rows')).toBe(rows === DEFAULT);
    expect(textOf('.controller.ts')).toMatch(/\.create\(.*, tx, caller\);/);
    expect(textOf('.test.ts')).toMatch(test);
  });

  it('completes a required attribute from the rows of the caller', () => {
    const filesOf = (...fields: string[]): string =>
      plannedFiles(ROOT, read('brands', ...fields), undefined, ['companyId'])
        .map(({ text }) => text)
        .join('\n');
    const required = filesOf('companyId:integer', 'name:text(200)');
    expect(required).toContain(`['companyId', 'name'], { companyId: { optional: true } })`);
    expect(required).toContain(`toEqual(['name REQUIRED', 'unknown UNKNOWN_FIELD'])`);
    expect(filesOf('companyId:integer?')).not.toContain('optional: true');
  });

  it('creates parents of its tests with the attributes that their creator does not have', () => {
    const spec = read('brands', 'name:text(200)', '--parent', 'products');
    const parent = findParent(ROOT, spec)!;
    const testOf = (properties: Record<string, string>): string =>
      plannedFiles(ROOT, spec, { ...parent, properties }, ['companyId', 'team', 'region'])
        .map(({ text }) => text)
        .join('\n');
    expect(testOf({ companyId: 'number', team: 'string', region: 'string | null' })).toContain(
      `return createOther('/api/v2/products', { companyId: 1, team: 'text 1' });`,
    );
    expect(testOf({})).toContain(`return createOther('/api/v2/products');`);
  });

  it('declares no rows without attributes', () => {
    for (const args of [[], ['--read', 'everyone'], ['--parent', 'products'], ['--owner', 'user']]) {
      const spec = read('brands', 'companyId:integer', ...args);
      const texts = plannedFiles(ROOT, spec, findParent(ROOT, spec), []).map(({ text }) => text);
      expect(texts.join('\n')).not.toMatch(/^ {2}rows:|tx, caller|optional: true/m);
    }
  });

  it.each([
    ['', `'brands_name_key', 'lower(name)'`, `@Unique(['size'])`, '', ''],
    ['--read everyone', `'brands_name_key', 'lower(name)'`, `@Unique(['size'])`, '', ''],
    [
      'companyId:integer',
      `'brands_company_id_name_key', 'company_id, lower(name)'`,
      `@Unique(['companyId', 'size'])`,
      'company_id_',
      ' with the same company',
    ],
    [
      'companyId:reference(products)? team:text(20) --owner user --parent products',
      `'brands_company_id_team_name_key', 'company_id, team, lower(name)'`,
      `@Unique(['companyId', 'team', 'size'])`,
      'company_id_team_',
      ' with the same company and team',
    ],
    [
      '--parent products',
      `'brands_product_id_name_key', 'product_id, lower(name)'`,
      `@Unique(['productId', 'size'])`,
      'product_id_',
      ' with the same product',
    ],
    [
      '--owner user',
      `'brands_user_id_name_key', 'user_id, lower(name)'`,
      `@Unique(['userId', 'size'])`,
      'user_id_',
      ' with the same user',
    ],
  ])('has fields that are unique within the rows of a caller: %s', (args, texts, numbers, keys, same) => {
    const spec = read('brands', 'name:text(200)!', 'size:integer!', ...args.split(' ').filter(Boolean));
    const found = findParent(ROOT, spec);
    const parent = found && { ...found, concernsEverybody: false };
    const files = plannedFiles(ROOT, spec, parent, ['companyId', 'team']);
    const textOf = (end: string): string => files.find(({ path }) => path.endsWith(end))!.text;
    expect(textOf('.entity.ts')).toContain(`@ExpressionIndex(${texts}, { unique: true })\n${numbers}\n`);
    expect(textOf('.resource.ts')).toContain(
      `constraints: { brands_${keys}name_key: BRAND_NAME_TAKEN, brands_${keys}size_key: BRAND_SIZE_TAKEN`,
    );
    expect(textOf('.errors.ts')).toContain(`'Another brand${same} has this name.'`);
    expect(textOf('.test.ts').includes('accept a %s that only rows of other users have')).toBe(
      args.startsWith('company'),
    );
  });

  it('keeps the values of attributes that a taken value belongs to, in its tests', () => {
    const spec = read('brands', 'companyId:integer!', 'name:text(200)!');
    const text = plannedFiles(ROOT, spec, undefined, ['companyId']).at(-3)!.text;
    expect(text).toContain('{ ...body(3), companyId: taken.companyId, [field]: taken[field] }');
    expect(text).toContain(`[...new Set([field, 'companyId'])].sort().map((name) => `);
    expect(text).toContain(`it.each(['name'])('accept a %s that only rows of other users have'`);
  });

  it('is open to everyone by default if its rows limit everyone', () => {
    const isOpen = (args: string, changes: object = {}, attributes = ['companyId']): boolean => {
      const spec = read('brands', 'name:text(200)', ...args.split(' ').filter(Boolean));
      const parent = findParent(ROOT, spec);
      return limitsEveryone(spec, parent && { ...parent, concernsEverybody: false, ...changes }, attributes);
    };
    expect(isOpen('')).toBe(false);
    expect(isOpen('companyId:integer')).toBe(true);
    expect(isOpen('companyId:reference(products)?')).toBe(true);
    expect(isOpen('--parent products')).toBe(true);
    expect(isOpen('--parent products', { concernsEverybody: true })).toBe(false);
    expect(isOpen('--parent products', { isOpen: false })).toBe(false);
    expect(isOpen('companyId:integer --parent products', {}, [])).toBe(false);
  });
});
