import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../project-files.js';
import { moduleFiles } from './module-templates.js';
import { readResourceSpec } from './resource-spec.js';

const ROOT = process.cwd();
const EXAMPLE = 'test/examples/suppliers';

/** Examples of values are what people change first. */
const withoutExamples = (text: string): string => text.replaceAll(/example: '[^']*'/g, 'example');

describe('the generated module', () => {
  const args = ['resource', 'suppliers', 'name:text(200)!', 'country:text(100)?', '--versions', '2'];
  const spec = readResourceSpec(args, ['1', '2'])!;

  it('is the one that docs/adding-a-module.md writes by hand', async () => {
    const files = await formatted(
      ROOT,
      moduleFiles({ spec, surroundings: { parent: undefined, user: undefined } }),
    );
    expect(files).toHaveLength(7);
    for (const { path, text } of files) {
      const example = readFileSync(join(ROOT, path.replace('src/suppliers', EXAMPLE)), 'utf8');
      expect(withoutExamples(example).replaceAll('../../../src/', '../')).toBe(withoutExamples(text));
    }
  });
});
