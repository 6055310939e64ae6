import { readResourceSpec } from './resource-spec.js';
import { testFile } from './test-template.js';

describe('the generated tests', () => {
  it.each(['body', 'path', 'answer', 'replaced', 'admin'])(
    'declare no variable by the name of a field, such as %s, which they may have themselves',
    (field) => {
      const spec = readResourceSpec(['resource', 'lamps', `${field}:text(200)`], ['1', '2'])!;
      const { text } = testFile(process.cwd(), {
        spec,
        surroundings: { parent: undefined, user: undefined },
      });
      expect(text).toContain(`const { ${field}: value } = body(1)`);
      expect(text).not.toMatch(new RegExp(`const \\{ ${field} \\} = body`));
    },
  );
});
