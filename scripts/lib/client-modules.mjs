import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientFiles } from './client-files.mjs';
import { inRoot, TSC } from './paths.mjs';
import { runNode } from './run.mjs';
import { generate } from '../../clients/typescript/generator/generate.mjs';
import { document } from '../../clients/typescript/test/generator/document.mjs';

const CLIENT = inRoot('clients/typescript');

/** The generator on the document of a team's module. Resolves to `[{ name, failure }]`. */
export async function checkModules(lab) {
  return [
    { name: 'a module of any kind of operations is generated, and typed', failure: await compiled(lab) },
    { name: 'two operations of one name are refused, by name', failure: refused() },
    { name: 'the package takes another name', failure: await renamed() },
  ];
}

async function compiled(lab) {
  const folder = join(lab, 'module');
  cpSync(join(CLIENT, 'src'), join(folder, 'src'), { recursive: true });
  for (const name of ['package.json', 'tsconfig.json']) copyFileSync(join(CLIENT, name), join(folder, name));
  copyFileSync(join(CLIENT, 'test/generator/use.ts'), join(folder, 'src/use.ts'));
  for (const [name, text] of Object.entries(generate(document))) {
    writeFileSync(join(folder, 'src/generated', name), text);
  }
  const { code, output } = await runNode([TSC, '-p', folder, '--noEmit'], { quiet: true });
  return code === 0 ? undefined : output;
}

function refused() {
  const brand = document.paths['/api/v1/shop-brands/{id}'];
  const twice = ['a', 'b', 'c', 'd'].map((name) => [`/api/v1/${name}/groups/brand/{id}`, { get: brand.get }]);
  try {
    generate({ ...document, paths: { ...document.paths, ...Object.fromEntries(twice) } });
  } catch (error) {
    return /no name is left for it/.test(error.message) ? undefined : error.stack;
  }
  return 'it was not refused';
}

/** What names the package follows the product's name. */
async function renamed() {
  const files = await clientFiles(document, '@acme-goods/client');
  const { name } = JSON.parse(files.get('clients/typescript/package.json'));
  if (name !== '@acme-goods/client') return `its manifest says ${name}`;
  const missing = [...files].filter(([path, text]) => !path.includes('/generated/') && !text.includes(name));
  return missing.length === 0 ? undefined : `not in ${missing.map(([path]) => path).join(', ')}`;
}
