import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../e2e');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.test.ts'),
);

/** `npm run test:e2e` also runs against a service that is already up, where tests must not start or look into one. */
describe('N3 an end-to-end test says what it needs beside HTTP', () => {
  it.each(files)('%s', (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const code = text.replaceAll(/^import[^;]*;/gm, '');
    const startsOwn =
      /\b(startApp\([^)]|startOn\(|startInProcess\(|startBare\(|ServiceProcess\b|createDatabase\()/.test(
        code,
      );
    const asksDatabase = /\.query[(<]/.test(code);
    const saysOwn = /WithOwnService\b|describeWithRedis\b/.test(code);
    const saysDatabase = saysOwn || /WithDatabase\b/.test(code);
    expect({ startsOwn: startsOwn && !saysOwn, asksDatabase: asksDatabase && !saysDatabase }).toEqual({
      startsOwn: false,
      asksDatabase: false,
    });
  });
});
