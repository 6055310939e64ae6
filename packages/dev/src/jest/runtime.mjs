import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { compileFunction } from 'node:vm';

// This package is a part of Jest, which installs it.
const require = createRequire(import.meta.url);
const { default: Runtime } = require('jest-runtime');

/** Requires a package as if from node_modules, so that Node.js prints no warnings. */
const requirePackage = createRequire(join(process.cwd(), 'node_modules/package.json'));

/** The compiled files of the project by name, for all test files of this worker. */
const compiled = new Map();

/** Modules that all test files of a worker share, because they cache what is expensive to create. */
const SHARED = ['testing/conformance.js', 'support/kept-connections.js'].map((path) => join(sep, path));
const shared = new Map();

/**
 * A Jest runtime that loads less for each test file. Requires `environment.mjs`, which has no realm of its own.
 *
 * - Packages: Node.js itself loads each package once for all test files of a worker. Jest does not compile them.
 * - Files of the project: each file is compiled once, but each test file gets its own modules, as with Jest's runtime.
 * - The base, and packages that depend on it: they are handled like files of the project. Their decorators fill the
 *   registries of TypeORM and class-validator, which start empty in each test file.
 */
export default class SharingRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    // Jest has no extension point for this.
    if (typeof executor?.compile !== 'function')
      throw new Error('This version of Jest is not supported: it has no executor.compile().');
    executor.compile = (source, filename) => compile(source, filename, executor.injectedModuleParameters);
  }

  requireModule(from, name, options, isRequireActual) {
    if (name && !options?.isInternalModule && isPackage(name)) {
      const path = this._resolution.resolveCjs(from, name);
      if (path.includes('node_modules') && !isOnBase(path)) return requirePackage(path);
    }
    const path = name?.startsWith('.') ? join(dirname(from), name) : '';
    if (!SHARED.some((end) => path.endsWith(end)))
      return super.requireModule(from, name, options, isRequireActual);
    if (!shared.has(path)) shared.set(path, super.requireModule(from, name, options, isRequireActual));
    return shared.get(path);
  }

  /**
   * Loads the modules of Jest itself, such as `expect`. Test files can share them: their state is in globals or per
   * file.
   */
  requireInternalModule(from, name) {
    if (name && isPackage(name)) return createRequire(from)(name);
    return super.requireInternalModule(from, name);
  }
}

const BASE = '@plinth/core';
const FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
const known = new Map();

/** Whether a file belongs to the base, or to an installed package that depends on it. */
function isOnBase(path) {
  const [folder] = FOLDER.exec(path);
  if (!known.has(folder)) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { name, dependencies, peerDependencies } = manifest;
    known.set(folder, name === BASE || BASE in { ...dependencies, ...peerDependencies });
  }
  return known.get(folder);
}

const isPackage = (name) => !/^[./]/.test(name) && !isBuiltin(name);

function compile(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.source === source) return known.run;
  const run = compileFunction(source, parameters, { filename });
  compiled.set(filename, { source, run });
  return run;
}
