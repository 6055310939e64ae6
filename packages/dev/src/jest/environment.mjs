import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

// These packages are parts of Jest, which installs them.
const require = createRequire(import.meta.url);
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** The methods of `process` that Jest replaces for a test file. */
const REPLACED = ['exit', 'getBuiltinModule'];

/**
 * The instances of `AsyncLocalStorage` that the current test file uses. Before Node.js 24, each instance slows down all
 * asynchronous operations of the process until it is disabled.
 */
const storages = new Set();
for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    storages.add(this);
    return original.apply(this, args);
  };
}

/**
 * A Jest environment without a realm of its own. Test files run in the realm of their worker, so that the packages that
 * `runtime.mjs` shares see the same `Error`, `Date` and `Promise` everywhere. After each file, the environment restores
 * the globals, the environment variables, and the listeners and methods of `process`.
 */
export default class WorkerEnvironment {
  global = globalThis;
  /** Jest's legacy fake timers are not supported. */
  fakeTimers = null;
  #conditions;
  #globals = new Set(Reflect.ownKeys(globalThis));
  #console = Object.getOwnPropertyDescriptor(globalThis, 'console');
  #variables = { ...process.env };
  #replaced = REPLACED.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)]);
  #listeners = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));

  constructor({ projectConfig: config }) {
    this.#conditions = config.testEnvironmentOptions.customExportConditions;
    const { global } = this;
    this.moduleMocker = new ModuleMocker(global);
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
  }

  exportConditions() {
    return this.#conditions;
  }

  /** Jest requires this method. There is no context, because the runtime compiles without one. */
  getVmContext() {
    return null;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.#restoreGlobals();
    this.#restoreProcess();
    for (const storage of storages) storage.disable();
    storages.clear();
  }

  /** Also empties the registries that packages keep in globals, such as TypeORM's registry of entities. */
  #restoreGlobals() {
    for (const name of Reflect.ownKeys(globalThis)) {
      // Jest's table of matchers cannot be deleted.
      if (!this.#globals.has(name)) Reflect.deleteProperty(globalThis, name);
    }
    Object.defineProperty(globalThis, 'console', this.#console);
  }

  #restoreProcess() {
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#variables)) delete process.env[name];
    }
    Object.assign(process.env, this.#variables);
    for (const [name, descriptor] of this.#replaced) {
      if (descriptor) Object.defineProperty(process, name, descriptor);
      else Reflect.deleteProperty(process, name);
    }
    for (const event of process.eventNames()) {
      const before = this.#listeners.get(event) ?? [];
      for (const listener of process.rawListeners(event)) {
        if (!before.includes(listener)) process.removeListener(event, listener);
      }
    }
  }
}
