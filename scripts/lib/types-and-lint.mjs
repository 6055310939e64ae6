/**
 * Checks types and lints, as `tsc --noEmit` and `eslint . --max-warnings=0` do, in one process: rules that ask for types
 * get those that the compiler has found already, which saves a third of the work of both. Prints
 * `[{ name, code, output, seconds }]` as JSON.
 */
import { mkdirSync } from 'node:fs';

import { ESLint } from 'eslint';
import ts from 'typescript';
import tseslint from 'typescript-eslint';

import { secondsSince } from './checks.mjs';
import { inRoot, root } from './paths.mjs';

const CACHE = inRoot('node_modules/.cache');

/** Findings of the compiler; what it learned is kept, so that the next run checks what has changed. */
function checkTypes() {
  const options = { noEmit: true, incremental: true, tsBuildInfoFile: `${CACHE}/types.json` };
  const config = ts.getParsedCommandLineOfConfigFile(inRoot('tsconfig.json'), options, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
    },
  });
  const builder = ts.createIncrementalProgram({
    rootNames: config.fileNames,
    options: config.options,
    configFileParsingDiagnostics: config.errors,
  });
  const findings = [
    ...builder.getConfigFileParsingDiagnostics(),
    ...builder.getOptionsDiagnostics(),
    ...builder.getSyntacticDiagnostics(),
    ...builder.getGlobalDiagnostics(),
    ...builder.getSemanticDiagnostics(),
  ];
  mkdirSync(CACHE, { recursive: true });
  // Without emitting: it writes what the next run begins with.
  builder.emit();
  const host = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  };
  return {
    program: builder.getProgram(),
    code: findings.length === 0 ? 0 : 1,
    output: ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(findings), host),
  };
}

/** The parser of ESLint's configuration, which finds files of the program there; others have projects of their own. */
const parserOver = (program) => ({
  meta: tseslint.parser.meta,
  parseForESLint: (text, options) =>
    tseslint.parser.parseForESLint(
      text,
      program.getSourceFile(options.filePath)
        ? { ...options, projectService: false, programs: [program] }
        : options,
    ),
});

async function lint(program) {
  const eslint = new ESLint({
    cwd: root,
    cache: true,
    cacheLocation: `${CACHE}/eslint/`,
    overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: parserOver(program) } }],
  });
  const results = await eslint.lintFiles(['.']);
  const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
  const { format } = await eslint.loadFormatter('stylish');
  return { code: isClean ? 0 : 1, output: await format(results) };
}

process.chdir(root);
let begin = performance.now();
const { program, ...types } = checkTypes();
types.seconds = secondsSince(begin);
begin = performance.now();
const linted = { ...(await lint(program)), seconds: secondsSince(begin) };
console.log(
  JSON.stringify([
    { name: 'types', ...types },
    { name: 'lint', ...linted },
  ]),
);
