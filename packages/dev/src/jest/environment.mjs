import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

// Parts of Jest, which brings them along.
const require = createRequire(import.meta.url);
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** What Jest replaces on `process` for a test file. */
const REPLACED = ['exit', 'getBuiltinModule'];

/**
 * The storages that were used since the last file. Below Node.js 24, each of them makes every asynchronous operation of
 * its process slower until it is disabled.
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
 * A Jest environment without a realm of its own: test files run in that of their worker, so that the packages that
 * `runtime.mjs` shares meet the same `Error`, `Date` and `Promise` everywhere. What a file leaves behind is undone
 * after it: globals, environment variables, and listeners and replaced methods of `process`.
 */
export default class WorkerEnvironment {
  global = globalThis;
  /** Jest's legacy ones are not offered. */
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

  /** Required by Jest; the runtime compiles without one. */
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

  /** Registries that packages keep there, such as TypeORM's of entities, begin empty for the next file. */
  #restoreGlobals() {
    for (const name of Reflect.ownKeys(globalThis)) {
      // Jest defines its table of matchers for good.
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
