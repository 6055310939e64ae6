import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { formatted } from '../project-files.js';
import { plannedFiles } from './files.js';
import { readResourceSpec, ResourceSpec } from './resource-spec.js';
import { limitsEveryone } from './rows.js';
import { declaredAttributes, Parent, findParent } from './surroundings.js';

const ROOT = process.cwd();
const EXAMPLE = 'packages/core/test/examples/suppliers';

const read = (...args: string[]): ResourceSpec => readResourceSpec(['resource', ...args], ['1', '2']);
const parentFor = (...args: string[]): Parent | undefined => findParent(ROOT, read(...args));

/** Removes example values: teams replace them first, and the comparison ignores them. */
const withoutExamples = (text: string): string => text.replaceAll(/example: '[^']*'/g, 'example');

describe('the generated module', () => {
  it('equals the module that packages/core/docs/adding-a-module.md shows', async () => {
    const spec = read('suppliers', 'name:text(200)!', 'country:text(100)?', '--versions', '2');
    const files = (await formatted(ROOT, plannedFiles(ROOT, spec, undefined, []))).slice(0, 7);
    for (const { path, text } of files) {
      const example = readFileSync(join(ROOT, path.replace('src/suppliers', EXAMPLE)), 'utf8');
      expect(withoutExamples(example)).toBe(withoutExamples(text));
    }
  });

  it.each([
    [['news', 'title:text(20)', '--singular', 'news-item'], `path: 'news',\n  singular: 'news-item',`],
    [['shelves', 'title:text(20)'], `path: 'shelves',\n  singular: 'shelf',\n  entity: Shelf,`],
    [['shelves', 'title:text(20)'], `description: 'Shelves.',`],
  ])('declares the singular if no rule derives it: %j', (args, definition) => {
    const files = plannedFiles(ROOT, read(...args), undefined, []);
    expect(files.find(({ path }) => path.endsWith('.resource.ts'))!.text).toContain(definition);
  });

  it.each(['body', 'path', 'answer', 'replaced', 'admin'])(
    'does not name a variable of its tests like the field %s',
    (field) => {
      const files = plannedFiles(ROOT, read('lamps', `${field}:text(200)`), undefined, []);
      const { text } = files.find(({ path }) => path.endsWith('.test.ts'))!;
      expect(text).toContain(`const { ${field}: value } = body(1)`);
      expect(text).not.toMatch(new RegExp(`const \\{ ${field} \\} = body`));
    },
  );
});

describe('the fields of a generated module', () => {
  const filesOf = (...fields: string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(
      plannedFiles(ROOT, read('brands', ...fields), undefined, []).map(({ path, text }) => [
        path.replace(/^.*\.(\w+\.ts)$/, '$1'),
        text,
      ]),
    );

  it.each([
    ['tags:text(40)[]', `@TextArray({ maxItems: 20, max: 40, example: ['text 1'] })\n  tags: string[];`],
    [
      'tags:text(40)[7]?',
      `@TextArray({ maxItems: 7, max: 40, nullable: true, example: ['text 1'] })\n  tags: string[] | null;`,
    ],
    ['kinds:choice(a|b)[]', `@ChoiceArray({ of: ['a', 'b'], example: ['b'] })\n  kinds: string[];`],
    ['kinds:choice(a|b)[1]', `@ChoiceArray({ maxItems: 1, of: ['a', 'b'], example: ['b'] })`],
    [
      'home:json(city:text(50),size:decimal(8,2)?,tags:text(9)[])?',
      `@Json({ type: BrandHome, nullable: true, example: { city: 'text 1', size: 1, tags: ['text 1'] } })\n  home: BrandHome | null;`,
    ],
    [
      'lampId:reference(products)',
      `@Id({ example: 1 })\n  @ForeignKey(() => Product, { onDelete: 'CASCADE' })\n  lampId: number;`,
    ],
    [
      'lampId:reference(products)?',
      `@Id({ nullable: true, example: 1 })\n  @ForeignKey(() => Product, { onDelete: 'SET NULL' })\n  lampId: number | null;`,
    ],
  ])('declare %s', (field, declaration) => {
    expect(filesOf(field)['entity.ts']).toContain(declaration);
  });

  it('declare the members of JSON in a class of the same file', () => {
    expect(filesOf('home:json(city:text(50),size:decimal(8,2)?)')['entity.ts']).toContain(
      `export class BrandHome {\n  @Text({ max: 50, example: 'text 1' })\n  city: string;\n\n` +
        `  @Decimal({ precision: 8, scale: 2, nullable: true, default: null, example: 1 })\n  size: number | null;\n}\n\n@Entity('brands')`,
    );
  });

  it('have a filter for an array, and a test for the path of a fault', () => {
    const files = filesOf('name:text(200)', 'tags:text(40)[]', 'home:json(open:boolean,city:text(50))');
    expect(files['resource.ts']).toContain(`filters: { tags: contains('tags') },`);
    expect(files['test.ts']).toContain(`['tags.0 TOO_LONG', { tags: ['x'.repeat(41)] }]`);
    expect(files['test.ts']).toContain(
      `['home.city TOO_LONG', { home: { open: true, city: 'x'.repeat(51) } }]`,
    );
  });
});

describe('references of a generated module', () => {
  const textsOf = (root: string, ...args: string[]): string =>
    plannedFiles(root, read('brands', ...args), findParent(root, read('brands', ...args)), ['companyId'])
      .map(({ text }) => text)
      .join('\n');

  it('have an index, a filter, and a row in the tests', () => {
    const text = textsOf(ROOT, 'lampId:reference(products)', 'spareId:reference(products)?');
    expect(text.split(`import { Product } from '../products/product.entity.js';`)).toHaveLength(2);
    expect(text).toContain(`@Index(['lampId'])\n@Index(['spareId'])`);
    expect(text).toContain(`filters: { lampId: equals('lampId'), spareId: equals('spareId') }`);
    expect(text).toContain('const references = { lampId: [] as number[], spareId: [] as number[] };');
    const other = `await createOther('/api/v2/products')`;
    expect(text).toContain(`references.lampId = [${other}, ${other}];`);
    expect(text).toContain('lampId: references.lampId[n % 2],');
    expect(text).toContain(`['lampId NOT_ALLOWED', { lampId: 9007199254740991 }]`);
  });

  it('import an entity once, also if it is the parent or the owner', () => {
    const args = ['lampId:reference(products)', 'byId:reference(users)', '--parent', 'products'];
    const text = textsOf(ROOT, ...args, '--owner', 'user');
    for (const file of ['products/product', 'users/user'])
      expect(text.split(`from '../${file}.entity.js'`)).toHaveLength(2);
  });

  it.each([
    ['wheelId:reference(wheels)', 'wheelId:reference(wheels): no module defines a resource with this path'],
    ['orderId:reference(orders)', 'orderId:reference(orders): /api/v2/orders must have a POST operation'],
  ])('are refused without a resource whose rows the tests can create: %s', (field, message) => {
    expect(() => textsOf(ROOT, field)).toThrow(message);
  });

  /** Calls `check` with a project whose tickets belong to companies, and whose comments are nested below tickets. */
  function inProject(check: (root: string) => void): void {
    const root = mkdtempSync(join(tmpdir(), 'generate-'));
    const write = (path: string, text: string): void => {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    const resource = (plural: string, name: string, fields: string, rows = ''): void => {
      write(
        `src/${plural}/x.entity.ts`,
        `@Entity('${plural}')\nexport class ${name} extends R {\n${fields}}\n`,
      );
      const definition = `{\n  path: '${plural}',\n  notFound: NONE,\n${rows}};`;
      write(
        `src/${plural}/x.resource.ts`,
        `export const A${name}: ResourceDefinition<${name}> = ${definition}\n`,
      );
    };
    const key = (entity: string, name: string, options: string): string =>
      `  @Id({ ${options} })\n  @ForeignKey(() => ${entity})\n  ${name}: number;\n`;
    resource('companies', 'Company', '');
    resource(
      'tickets',
      'Ticket',
      key('Company', 'companyId', 'example: 1') + key('X', 'xId', 'readOnly: true'),
      '  rows: limit,\n',
    );
    const ofTicket = key('Ticket', 'ticketId', 'readOnly: true');
    resource('comments', 'Comment', ofTicket, `  rows: rowsOf(ATicket, 'ticketId'),\n`);
    resource('notes', 'Note', ofTicket);
    const served = [
      'companies',
      'tickets',
      'tickets/{ticketId}/comments',
      'comments/{commentId}/reactions',
      'tickets/{id}/notes',
    ];
    const operations = served.map(
      (path) => `POST /api/v2/${path} x [create]\nGET /api/v2/${path}/{id} x [read]\n`,
    );
    write('docs/api-surface.txt', `\n${operations.join('')}`);
    write('src/app.module.ts', `import { A } from './a.js';\n@Module({\n  imports: [A] })\n`);
    resource('reactions', 'Reaction', key('Comment', 'commentId', 'readOnly: true'));
    try {
      check(root);
    } finally {
      rmSync(root, { recursive: true });
    }
  }

  const TICKET = `createOther('/api/v2/tickets', { companyId: await createOther('/api/v2/companies') })`;
  const COMMENT = `createOther(\`/api/v2/tickets/\${await ${TICKET}}/comments\`)`;
  const REACTION = `createOther(\`/api/v2/comments/\${await ${COMMENT}}/reactions\`)`;

  it.each([
    ['ticketId:reference(tickets)', `[await ${TICKET}, `],
    ['commentId:reference(comments)', `[await ${COMMENT}, `],
    ['reactionId:reference(reactions)', `[await ${REACTION}, `],
    ['--parent tickets', `return ${TICKET};`],
    ['--parent comments', `return ${COMMENT};`],
    ['--parent reactions', `return ${REACTION};`],
  ])('create the rows to which other rows must refer, or below which they are: %s', (args, creation) => {
    inProject((root) => {
      const text = textsOf(root, 'size:integer', '--versions', '2', ...args.split(' '));
      expect(text).toContain(creation);
    });
  });

  it('may belong to a nested resource, whose rows limit everyone', () => {
    inProject((root) => {
      const text = textsOf(root, 'size:integer', '--parent', 'comments', '--versions', '2');
      expect(text).toContain(`path: 'comments/:commentId/brands'`);
      expect(text).toContain(`rows: rowsOf(AComment, 'commentId'),`);
      const withCompany = ['companyId:reference(companies)', '--parent', 'tickets', '--read', 'everyone'];
      expect(textsOf(root, ...withCompany, '--versions', '2')).not.toContain(`app.as('viewer', {`);
      const spec = read('brands', 'size:integer', '--parent', 'comments', '--versions', '2');
      expect(limitsEveryone(spec, findParent(root, spec), ['companyId'])).toBe(true);
    });
  });

  it('are refused below a path that the generator does not write', () => {
    inProject((root) => {
      expect(() => textsOf(root, 'size:integer', '--parent', 'notes', '--versions', '2')).toThrow(
        '/api/v2/notes must have a POST operation',
      );
    });
  });

  it('are shown to users whose attributes they are', () => {
    const args = ['companyId:reference(products)', '--read', 'everyone'];
    expect(textsOf(ROOT, ...args)).toContain(`app.as('viewer', { company_id: references.companyId[1] })`);
    expect(textsOf(ROOT, 'companyId:integer', '--read', 'everyone')).not.toContain('company_id: references');
  });
});

describe('the routes that read a generated module', () => {
  const controllerOf = (...args: string[]): string =>
    plannedFiles(ROOT, read('brands', 'name:text(200)', ...args), undefined, []).find(({ path }) =>
      path.endsWith('.controller.ts'),
    )!.text;

  it.each([
    [[], `@RequirePermission('read', { staff: true })`],
    [['--read', 'staff'], `@RequirePermission('read', { staff: true })`],
    [['--read', 'everyone'], `@RequirePermission('read')`],
    [['--public'], `@RequirePermission('read')`],
    [['--owner', 'user'], `@RequirePermission('read', OWNERS)`],
    [['--owner', 'user', '--public'], `@RequirePermission('read')`],
  ])('are open only to the staff unless --read everyone or --public is given: %j', (args, decorator) => {
    expect(controllerOf(...args).split(decorator)).toHaveLength(3);
  });

  it('hide the rows of other users if owners read their own', () => {
    expect(controllerOf('--owner', 'user')).toContain(`const OWNERS = { staff: true, ownerField: 'userId' }`);
    expect(controllerOf('--owner', 'user', '--public')).toContain(`const OWNERS = { ownerField: 'userId' }`);
  });
});

describe('a project', () => {
  const access = (lines: string): string =>
    `export const ACCESS = defineAccess({\n  permissions: ['read'],\n${lines}\n});\n`;

  it.each([
    [access(`  attributes: ['companyId'],`), ['companyId']],
    [access(`  attributes: [\n    'companyId',\n    "team",\n  ],`), ['companyId', 'team']],
    [access('  attributes: [],'), []],
    [access('  roles: {},'), []],
    [`const attributes = ['companyId'];\n`, []],
  ])('declares attributes only in defineAccess(): %j', (text, expected) => {
    const root = mkdtempSync(join(tmpdir(), 'generate-'));
    mkdirSync(join(root, 'src/config'), { recursive: true });
    writeFileSync(join(root, 'src/config/access.ts'), text);
    expect(declaredAttributes(root)).toEqual(expected);
    rmSync(root, { recursive: true });
  });
});

describe('the command line of plinth generate', () => {
  it('reads a resource with its fields, parent, owner and versions', () => {
    const fields = ['title:text(200)!', 'inStock:boolean', 'dueOn:date?'];
    const spec = read('order-notes', ...fields, '--parent', 'products', '--owner', 'user', '--versions', '2');
    expect(spec).toMatchObject({
      names: {
        plural: 'order-notes',
        singular: 'order-note',
        entity: 'OrderNote',
        collection: 'OrderNotes',
        code: 'ORDER_NOTE',
        constant: 'ORDER_NOTES',
        table: 'order_notes',
      },
      parent: 'products',
      isOwned: true,
      versions: ['2'],
    });
    expect(spec.fields.map(({ column, isNullable, isUnique }) => [column, isNullable, isUnique])).toEqual([
      ['title', false, true],
      ['in_stock', false, false],
      ['due_on', true, false],
    ]);
    expect(read('brands', 'name:text(20)').versions).toEqual(['1', '2']);
  });

  it.each([
    [
      ['Brands', 'name:text(2)'],
      'a name must consist of words of lower-case letters and digits joined by -, such as brands or order-notes, and have at most 40 characters (got Brands)',
    ],
    [['brand', 'name:text(2)'], 'the name must be a plural, such as brands (got brand)'],
    [
      ['news', 'name:text(2)'],
      'the name must be a plural, such as brands (got news); pass the singular as --singular',
    ],
    [['news', 'name:text(2)', '--singular', 'news'], 'the name must be a plural, such as brands (got news)'],
    [['brands'], 'plinth generate must be followed by resource <plural>'],
    [['brands', 'name:text(2)', '--read', 'all'], '--read must be staff or everyone (got all)'],
    [
      ['brands', 'name:text(2)', '--public', '--read', 'staff'],
      '--read staff cannot be combined with --public',
    ],
    [
      ['brands', 'name'],
      'a field must be name:type, such as inStock:boolean; it may end with ?, ! or ?! (got name)',
    ],
    [['brands', 'Name:text(9)'], 'or ?! (got Name:text(9))'],
    [['brands', 'name:text(9)??'], 'or ?! (got name:text(9)??)'],
    [['brands', 'name:text'], 'name:text: the type must be written like text(200)'],
    [['brands', 'name:text(0)'], 'must be written like text(200)'],
    [['brands', 'name:texts(9)'], 'unknown type texts; the types are text(200)'],
    [['brands', 'name:money(2)'], 'name:money(2): the type must be written like money'],
    [['brands', 'at:date[]'], 'at:date[]: only text and choice can be an array'],
    [['brands', 'home:json(a:date)[]'], 'only text and choice can be an array'],
    [['brands', 'tags:text(9)[0]'], 'a field must be name:type'],
    [['brands', 'tags:text(9)[]!'], 'tags:text(9)[]!: an array, JSON or a reference cannot be unique'],
    [['brands', 'home:json(a:date)!'], 'an array, JSON or a reference cannot be unique'],
    [['brands', 'lampId:reference(products)!'], 'an array, JSON or a reference cannot be unique'],
    [['brands', 'lampId:reference'], 'the type must be written like reference(products)'],
    [['brands', 'home:json(lampId:reference(products))'], 'must be neither unique nor JSON nor a reference'],
    [['brands', 'lampId:reference(products)[]'], 'only text and choice can be an array'],
    [['brands', 'home:json'], 'home:json: the type must be written like json(city:text(100),zip:text(10)?)'],
    [['brands', 'home:json(city)'], 'a field must be name:type'],
    [['brands', 'home:json(a:date!)'], 'a member of JSON must be neither unique nor JSON'],
    [['brands', 'home:json(a:json(b:date))'], 'a member of JSON must be neither unique nor JSON'],
    [['brands', 'name:choice(a)'], 'must be written like choice(new|used)'],
    [['brands', 'id:integer'], 'every resource'],
    [['brands', 'sort:text(9)'], 'every list'],
    [['brands', 'a:date', '--owner', 'admin'], '--owner must be user (got admin)'],
    [['brands', 'a:date', '--versions', '3'], '--versions must contain only 1,2 (got 3)'],
    [['brands', 'a:date', '--colour', 'red'], '--colour'],
  ])('refuses %j', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });

  it.each([
    ['shelves', 'Shelf', 'SHELF'],
    ['warehouse-shelves', 'WarehouseShelf', 'WAREHOUSE_SHELF'],
    ['categories', 'Category', 'CATEGORY'],
    ['databases', 'Database', 'DATABASE'],
    ['people', 'Person', 'PERSON'],
  ])('derives the singular of %s as %s, in constants as %s', (plural, entity, code) => {
    expect(read(plural, 'name:text(20)').names).toMatchObject({ plural, entity, code });
  });
});

describe('existing code of the application', () => {
  it('offers a parent by its path', () => {
    expect(parentFor('tags', 'word:text(20)', '--parent', 'products')).toEqual({
      path: 'products',
      property: 'productId',
      constant: 'PRODUCTS',
      notFound: 'PRODUCT_NOT_FOUND',
      file: 'products/product.resource',
      entity: 'Product',
      entityFile: 'products/product.entity',
      grants: 'product',
      concernsEverybody: true,
      isOpen: true,
      under: undefined,
      references: {},
      properties: expect.objectContaining({ name: 'string', category: 'string | null' }) as unknown,
    });
  });

  it.each([
    ['tags', 'wheels', '--parent wheels: no module defines a resource with this path'],
    [
      'tags',
      'orders',
      '/api/v1/orders must have a POST operation, and its rows must be readable by all of the staff',
    ],
    [
      'tags',
      'users',
      '/api/v1/users must have a POST operation, and its rows must be readable by all of the staff',
    ],
    ['products', undefined, 'src/products already exists'],
    ['logins', undefined, 'the base already has a table logins'],
  ])('makes the generator refuse %s under %s', (plural, parent, message) => {
    const options = parent === undefined ? [] : ['--parent', parent];
    expect(() => parentFor(plural, 'word:text(20)', ...options)).toThrow(message);
  });
});
