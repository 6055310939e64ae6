/**
 * Sends the process that loads it (`node --require`) SIGUSR2 and SIGHUP while its modules are loading: `reflect-metadata`,
 * one of the first, asks for what is already there.
 */
Object.defineProperty(Reflect, 'defineMetadata', {
  configurable: true,
  get() {
    Object.defineProperty(Reflect, 'defineMetadata', {
      configurable: true,
      writable: true,
      value: undefined,
    });
    for (const signal of ['SIGUSR2', 'SIGHUP']) process.kill(process.pid, signal);
    return undefined;
  },
});
