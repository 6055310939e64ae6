import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import ts from 'typescript';

const IMPORTS = `import { Column, Entity, EntitySchema, Index, PrimaryColumn, Unique } from 'typeorm';`;

/** Files of a project that declares entities and lists in all ways that TypeORM and NestJS offer. */
const FILES: Readonly<Record<string, string>> = {
  'src/tools/models/hammer.ts': `${IMPORTS}
    class Weight { @Column('int') grams: number; @Index() @Column('int') maker: number; }
    @Entity('hammers') @Unique(['name']) export default class Hammer {
      @PrimaryColumn('int') id: number;
      @Column('text') name: string;
      @Column(() => Weight) weight: Weight;
    }`,
  'src/tools/models/index.ts': `export { default as Hammer } from './hammer.js';`,
  'src/tools/models/nail.ts': `${IMPORTS}
    @Entity('nails') export class Nail { @PrimaryColumn('int') id: number; }`,
  'src/tools/models/screw.ts': `${IMPORTS}
    export const screws = new EntitySchema<{ id: number }>({
      name: 'screw', tableName: 'screws', columns: { id: { type: 'int', primary: true } },
    });`,
  'src/tools/tools.module.ts': `${IMPORTS}
    import { Module } from '@nestjs/common';
    import { TypeOrmModule } from '@nestjs/typeorm';
    import { defineList, Integer, ResourceEntity } from '@plinth/core';
    import { Rivet } from '../../lib/rivet.js';
    import { Hammer } from './models/index.js';
    @Entity('saws') class Saw extends ResourceEntity { @Integer() teeth: number; }
    const sawList = defineList(Saw, { name: 'saws', sorts: ['teeth'] });
    @Module({ imports: [TypeOrmModule.forFeature([Hammer, Saw, Rivet])] }) export class ToolsModule {}`,
  'src/tools/tools.test.ts': `throw new Error('a test is no part of the application');`,
  'lib/rivet.ts': `${IMPORTS}
    @Entity('rivets') export class Rivet { @PrimaryColumn('int') id: number; }`,
};

describe('plinth migration:generate, in a project with entities in any file', () => {
  let root: string;
  beforeAll(() => {
    root = fs.mkdtempSync(join(tmpdir(), 'project-'));
    for (const path of ['package.json', 'nest-cli.json', 'dist/src', 'src/migrations'])
      fs.cpSync(path, join(root, path), { recursive: true });
    fs.symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
    const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as {
      config: { compilerOptions: Record<string, unknown> };
    };
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
    for (const [path, text] of Object.entries(FILES)) {
      const compiled = join(root, 'dist', path.replace(/ts$/, 'js'));
      fs.mkdirSync(dirname(compiled), { recursive: true });
      const compilerOptions = { ...options, module: ts.ModuleKind.ESNext, sourceMap: false };
      fs.writeFileSync(compiled, ts.transpileModule(text, { compilerOptions }).outputText);
    }
  });
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  const generate = (name: string): { status: number | null; stdout: string; stderr: string } => {
    const plinth = join(process.cwd(), 'packages/dev/bin/plinth.mjs');
    const args = [plinth, 'migration:generate', name, '--no-build'];
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' };
    return spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
  };
  const written = (name: string): string =>
    fs
      .readdirSync(join(root, 'src/migrations'))
      .filter((file) => file.endsWith(`-${name}.ts`))
      .map((file) => fs.readFileSync(join(root, 'src/migrations', file), 'utf8'))
      .join('');

  it('finds the entities and lists of all files, and names the entity of a package that it leaves out', () => {
    fs.appendFileSync(join(root, 'dist/src/app.module.js'), `\nimport './tools/tools.module.js';\n`);
    const { status, stdout, stderr } = generate('add-tools');
    expect({ failure: status === 0 ? '' : stderr, left: stdout.match(/^Ignored .*$/gm) }).toEqual({
      failure: '',
      left: [
        'Ignored the entity Rivet, because no file of src/ declares it. Export it from a file named *.entity.ts.',
      ],
    });
    const created = [...written('add-tools').matchAll(/create (?:table|index) "(\w+)"/gi)];
    expect(created.map(([, name]) => name).toSorted()).toEqual([
      'hammers',
      'hammers_weight_maker_idx',
      'nails',
      'saws',
      'saws_created_at',
      'saws_teeth',
      'screws',
    ]);
    expect(written('add-tools')).toContain('CONSTRAINT "hammers_name_key" UNIQUE ("name")');
  });
});
