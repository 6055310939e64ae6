import { join } from 'node:path';

import ts from 'typescript';

/** The files whose exports are the public API. The exports of `dev.ts` are only for packages of the same release. */
const ENTRIES = ['index', 'auth', 'start'].map((name) => `packages/core/src/${name}.ts`);

const FORMAT =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.WriteArrowStyleSignature;

/**
 * Returns the public API of the base as text: each public name with its signature on a line, sorted, below the file that
 * exports it. The public members of a class or interface follow its name, indented.
 */
export const publicApi = (entries) =>
  entries
    .map(
      ({ entry, names, checker }) =>
        `# ${entry}\n\n${names.flatMap((name) => linesOf(name, checker)).join('\n')}\n`,
    )
    .join('\n');

/**
 * Returns the public names without a doc comment, and functions and classes without an `@example`. Ignores error types.
 */
export const undocumented = (entries) =>
  entries.flatMap(({ names, checker }) =>
    names
      .filter((exported) => {
        const symbol = declaredSymbol(exported, checker);
        const type = checker.getTypeOfSymbol(symbol);
        const isCalled = symbol.flags & ts.SymbolFlags.Class || type.getCallSignatures().length > 0;
        const lacksExample = isCalled && !symbol.getJsDocTags(checker).some(({ name }) => name === 'example');
        const hasComment = symbol.getDocumentationComment(checker).length > 0;
        return type.symbol?.name !== 'ErrorType' && (lacksExample || !hasComment);
      })
      .map(({ name }) => name),
  );

/** @param root the project's folder */
export function entriesOf(root) {
  const file = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ENTRIES }, ts.sys, root);
  const program = ts.createProgram(
    ENTRIES.map((entry) => join(root, entry)),
    options,
  );
  const checker = program.getTypeChecker();
  return ENTRIES.map((entry) => {
    const source = program.getSourceFile(join(root, entry));
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${entry} is not a module`);
    const names = checker.getExportsOfModule(module).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return { entry, names, checker };
  });
}

const declaredSymbol = (exported, checker) =>
  exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;

function linesOf(exported, checker) {
  const symbol = declaredSymbol(exported, checker);
  const { name } = exported;
  const lines = [];
  if (symbol.flags & ts.SymbolFlags.Class) lines.push(`class ${name}`, ...membersOf(symbol, checker));
  else if (symbol.flags & ts.SymbolFlags.Interface)
    lines.push(`interface ${name}`, ...membersOf(symbol, checker));
  else if (symbol.flags & ts.SymbolFlags.TypeAlias) {
    const declared = symbol.declarations?.find(ts.isTypeAliasDeclaration);
    lines.push(`type ${name} = ${oneLine(declared?.type.getText() ?? '')}`);
  }
  if (symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable))
    lines.push(`${name}: ${typeText(checker.getTypeOfSymbol(symbol), checker)}`);
  return lines;
}

function membersOf(symbol, checker) {
  const members = [];
  if (symbol.flags & ts.SymbolFlags.Class) {
    const statics = checker.getTypeOfSymbol(symbol);
    for (const signature of statics.getConstructSignatures())
      members.push(`  new ${oneLine(checker.signatureToString(signature, undefined, FORMAT))}`);
    for (const member of statics.getProperties().filter(({ name }) => name !== 'prototype'))
      if (isPublic(member)) members.push(`  static ${memberLine(member, checker)}`);
  }
  const instance = checker.getDeclaredTypeOfSymbol(symbol);
  for (const member of instance.getProperties())
    if (isPublic(member)) members.push(`  ${memberLine(member, checker)}`);
  return members;
}

const memberLine = (member, checker) =>
  `${member.name}${member.flags & ts.SymbolFlags.Optional ? '?' : ''}: ${typeText(checker.getTypeOfSymbol(member), checker)}`;

/** Whether a member is public API of the base. Members that a class inherits from other packages are not. */
function isPublic({ declarations = [] }) {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return declarations.some(
    (declaration) =>
      !declaration.getSourceFile().fileName.includes('/node_modules/') &&
      !(ts.getCombinedModifierFlags(declaration) & hidden),
  );
}

const typeText = (type, checker) => oneLine(checker.typeToString(type, undefined, FORMAT));

const oneLine = (text) => text.replace(/import\("[^"]*"\)\./g, '').replace(/\s+/g, ' ');
