import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { compileFunction } from 'node:vm';

// A part of Jest, which brings it along.
const require = createRequire(import.meta.url);
const { default: Runtime } = require('jest-runtime');

/** Node.js warns of nothing that packages require. */
const requirePackage = createRequire(join(process.cwd(), 'node_modules/package.json'));

/** Compiled files by name, for all test files of this worker. */
const compiled = new Map();

/** Modules that all test files of a worker share: they keep what is dear to make. */
const SHARED = ['testing/conformance.js', 'support/kept-connections.js'].map((path) => join(sep, path));
const shared = new Map();

/**
 * Jest's runtime, where the test files of a worker share what need not be loaded for each: packages are loaded once, by
 * Node.js itself and as they are, and files of the project are compiled once. Their modules are each test file's own,
 * as with Jest's runtime, and so are those of the base and of packages on it: their decorators fill the registries of
 * TypeORM and class-validator, which begin empty with each file. For `environment.mjs`, which has no realm of its own.
 */
export default class SharingRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    // Jest has no seam for it.
    if (typeof executor?.compile !== 'function') throw new Error('This version of Jest compiles elsewhere.');
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

  /** What Jest itself runs on in a test file, `expect` for one: its state is each file's own, or in globals anyway. */
  requireInternalModule(from, name) {
    if (name && isPackage(name)) return createRequire(from)(name);
    return super.requireInternalModule(from, name);
  }
}

const BASE = '@plinth/core';
const FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
const known = new Map();

/** Whether a file is one of the base, or of an installed package that needs it. */
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
