import { formatRoutes } from '../../packages/dev/src/cli/routes.js';
import { readDocument } from '../../packages/dev/src/cli/openapi.js';
import { useInProcess } from '../support/own-app.js';

describe('plinth routes', () => {
  const own = useInProcess({ DOCS: 'true' });
  let lines: string[];

  beforeAll(async () => {
    const { nest } = own.app;
    const document = await readDocument({ nest, config: { host: '127.0.0.1', port: 3000 } });
    const { policies } = nest.getHttpAdapter().getInstance();
    lines = formatRoutes(policies, JSON.parse(document) as never);
  });

  const lineOf = (route: string): string[] =>
    lines.filter((line) => line.split(/  +/).slice(0, 2).join(' ') === route);

  it('prints the handler, access, caching and errors of a route in one line', () => {
    const [line, ...others] = lineOf('GET /api/v1/products/:id');
    expect(others).toEqual([]);
    const [, , handler, access, cache, errors] = line?.split(/  +/) ?? [];
    expect([handler, access, cache]).toEqual([
      'ProductsController.get',
      'read | anonymous',
      'private, no-cache',
    ]);
    expect(errors?.split(' ')).toEqual(expect.arrayContaining(['PRODUCT_NOT_FOUND', 'INVALID_ID']));
  });

  it('names the controller of the version for a route that a version defines itself', () => {
    expect(lineOf('POST /api/v2/products')[0]).toContain('ProductsV2Controller.create');
  });

  it('prints every route of a controller once, and the errors of every route at the end', () => {
    const { policies } = own.app.nest.getHttpAdapter().getInstance();
    const ofControllers = [...policies].filter(
      ([name, { handler }]) => handler !== undefined && !name.startsWith('HEAD '),
    );
    expect(lines).toHaveLength(ofControllers.length + 1);
    expect(lines.at(-1)).toMatch(/^Every route: .*INTERNAL_ERROR/);
  });
});
