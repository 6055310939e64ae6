import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import ts from 'typescript';

const COMPILER_OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2023,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  useDefineForClassFields: false,
};

/** A program that serves the application of `dist/` with the module of an example. */
export interface CompiledExample {
  /** The program, relative to the working folder, for `ServiceProcess`. */
  readonly program: string;
  remove(): void;
}

/**
 * Compiles an example of the base into a folder of its own, so that it can run in a process of its own.
 * @param name the folder of the example
 * @param moduleName the class that `<name>.module.ts` exports
 */
export function compileExample(name: string, moduleName: string): CompiledExample {
  const source = join('packages/core/test/examples', name);
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  copyFileSync('package.json', join(folder, 'package.json'));
  for (const file of readdirSync(source)) {
    const text = readFileSync(join(source, file), 'utf8');
    const { outputText } = ts.transpileModule(text, { fileName: file, compilerOptions: COMPILER_OPTIONS });
    writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), outputText);
  }
  writeFileSync(
    join(folder, 'main.js'),
    `import { Module } from '@nestjs/common';
     import { run } from '@plinth/core/start';
     await run(async () => {
       const { AppModule: Shop } = await import('${join(process.cwd(), 'dist/src/app.module.js')}');
       const { ${moduleName} } = await import('./${name}.module.js');
       class AppModule {}
       Module({ imports: [Shop, ${moduleName}] })(AppModule);
       return { AppModule };
     });`,
  );
  return {
    program: relative(process.cwd(), join(folder, 'main.js')),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
