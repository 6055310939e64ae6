import { createRequire, isBuiltin } from 'node:module';
import { compileFunction } from 'node:vm';

// A part of Jest, which brings it along.
const require = createRequire(import.meta.url);
const { default: Runtime } = require('jest-runtime');

/** Node.js warns of nothing that packages require. */
const requirePackage = createRequire(new URL('../../../node_modules/package.json', import.meta.url));

/** Compiled files by name, for all test files of this worker. */
const compiled = new Map();

/**
 * Modules of the project that all test files of a worker share, by what imports end in: they keep what is dear to make.
 */
const SHARED = ['/conformance.js', '/kept-connections.js'];
const shared = new Map();

/**
 * Jest's runtime, where the test files of a worker share what need not be loaded for each: packages are loaded once, by
 * Node.js itself and as they are, and files of the project are compiled once. Their modules are each test file's own,
 * as with Jest's runtime, but for those in `SHARED`. For `environment.mjs`, which has no realm of its own.
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
      if (path.includes('/node_modules/')) return requirePackage(path);
    }
    const sharedName = SHARED.find((one) => name?.endsWith(one));
    if (sharedName === undefined) return super.requireModule(from, name, options, isRequireActual);
    if (!shared.has(sharedName))
      shared.set(sharedName, super.requireModule(from, name, options, isRequireActual));
    return shared.get(sharedName);
  }

  /** What Jest itself runs on in a test file, `expect` for one: its state is each file's own, or in globals anyway. */
  requireInternalModule(from, name) {
    if (name && isPackage(name)) return createRequire(from)(name);
    return super.requireInternalModule(from, name);
  }
}

const isPackage = (name) => !/^[./]/.test(name) && !isBuiltin(name);

function compile(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.source === source) return known.run;
  const run = compileFunction(source, parameters, { filename });
  compiled.set(filename, { source, run });
  return run;
}
