import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { CORE_DOCS, pages } from '../support/code-blocks.js';

interface Link {
  readonly page: string;
  readonly file: string;
  readonly anchor: string | undefined;
}

/** The links from a page to files of the project. */
function linksIn(page: string): Link[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [file = '', anchor] = target.split('#');
    return [{ page, file: file === '' ? page : join(dirname(page), file), anchor }];
  });
}

/** The anchors of the headings of a page: `## For modules` → `for-modules`. */
const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );

/** Pages outside of docs/. */
const OTHERS = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'packages/client/README.md',
  'packages/core/README.md',
];

describe('links in the docs', () => {
  const links = [...pages(), ...OTHERS].flatMap(linksIn);

  it('lead to a file and a heading that exist', () => {
    expect(links.length).toBeGreaterThan(50);
    const dead = links.filter(
      ({ file, anchor }) => !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor)),
    );
    expect(dead).toEqual([]);
  });

  it('stay inside the package that a page is published with', () => {
    const leaving = links.filter(
      ({ page, file }) => page.startsWith(CORE_DOCS) && !file.startsWith('packages/core/'),
    );
    expect(leaving).toEqual([]);
  });

  it('lead from an index page to every page', () => {
    const listed = ['docs', CORE_DOCS]
      .flatMap((folder) => linksIn(`${folder}/README.md`))
      .map(({ file }) => file);
    const missing = pages()
      .filter((page) => !page.endsWith('README.md'))
      .filter((page) => !page.startsWith('docs/decisions/') && !listed.includes(page));
    expect(missing).toEqual([]);
  });
});
