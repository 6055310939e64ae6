import { moduleFiles } from './module-templates.js';
import { Surroundings, surroundingsOf } from './project.js';
import { readResourceSpec } from './resource-spec.js';

const ROOT = process.cwd();

function lookUp(...args: string[]): { faults: string[]; surroundings: Surroundings } {
  const spec = readResourceSpec(['resource', ...args], ['1', '2'])!;
  const faults: string[] = [];
  return { faults, surroundings: surroundingsOf(ROOT, spec, faults) };
}

describe('what a resource refers to', () => {
  it('is found by the path of its parent, under whatever name', () => {
    const { faults, surroundings } = lookUp(
      'tags',
      'word:text(20)',
      '--parent',
      'products',
      '--owner',
      'user',
    );
    expect(faults).toEqual([]);
    expect(surroundings).toEqual({
      parent: {
        path: 'products',
        singular: 'product',
        word: 'product',
        property: 'productId',
        constant: 'PRODUCTS',
        notFound: 'PRODUCT_NOT_FOUND',
        resourceFile: 'products/product.resource',
        entity: 'Product',
        entityFile: 'products/product.entity',
        hasUuid: false,
      },
      user: { entity: 'User', entityFile: 'users/user.entity', hasUuid: false },
    });
  });

  it.each([
    ['wheels', '--parent wheels: no module defines a resource with this path'],
    ['orders', '--parent orders: nothing creates its rows under this path: write it by hand'],
    ['orders', '--parent orders: not everybody may read its rows'],
    ['reviews', '--parent reviews: nothing creates its rows under this path'],
  ])('is refused where %s cannot be a parent: %s', (parent, fault) => {
    expect(lookUp('tags', 'word:text(20)', '--parent', parent).faults.join('\n')).toContain(fault);
  });

  it('is refused where a field has its name', () => {
    const { faults } = lookUp('tags', 'productId:integer', '--parent', 'products');
    expect(faults).toEqual(['--parent products: productId is its field']);
  });
});

describe('names that are taken', () => {
  it.each([
    ['products', [], ['src/products: is there already', 'the table products is made already']],
    ['logins', [], ['Login: src/auth/sessions/', 'the table logins is made already']],
    ['news', ['--singular', 'product'], ['PRODUCT_NOT_FOUND is an error already', 'Product: src/products/']],
    ['api-keys', [], ['/api-keys is a path already: src/auth/api-keys/', 'ApiKey: src/auth/api-keys/']],
    ['suppliers', [], ['test/examples/suppliers: an example has that name']],
    ['reviews', ['--parent', 'products'], ['/products/{id}/reviews is a path already']],
  ])('are refused: %s %j', (plural, options, faults) => {
    const found = lookUp(plural, 'name:text(20)', ...options).faults.join('\n');
    for (const fault of faults) expect(found).toContain(fault);
  });

  it('are not those of the last word of a longer path', () => {
    expect(lookUp('items', 'name:text(20)').faults).toEqual([]);
  });
});

describe('a singular that no rule finds', () => {
  const surroundings = { parent: undefined, user: undefined };

  it.each([
    [['news', 'title:text(20)', '--singular', 'news-item'], `path: 'news',\n  singular: 'news-item',`],
    [['shelves', 'title:text(20)'], `path: 'shelves',\n  singular: 'shelf',\n  entity: Shelf,`],
    [['shelves', 'title:text(20)'], `description: 'Shelves.',`],
  ])('is declared by the resource: %j', (args, definition) => {
    const spec = readResourceSpec(['resource', ...args], ['1'])!;
    const resource = moduleFiles({ spec, surroundings }).find(({ path }) => path.endsWith('.resource.ts'))!;
    expect(resource.text).toContain(definition);
  });
});
