type Handler = (signal: NodeJS.Signals) => void;

/** Signals that are kept for a handler to come, with the listener that notes them. */
const held = new Map<NodeJS.Signals, { hasCome: boolean; note: () => void }>();

/** Keeps signals for whoever handles them later. Without a listener, each of them would end the process. */
export function holdSignals(signals: readonly NodeJS.Signals[]): void {
  for (const signal of signals) {
    const kept = {
      hasCome: false,
      note: () => {
        kept.hasCome = true;
      },
    };
    held.set(signal, kept);
    process.on(signal, kept.note);
  }
}

/** Handles a signal from now on, and at once where it has been kept. */
export function handleSignal(signal: NodeJS.Signals, handle: Handler): void {
  process.on(signal, handle);
  if (letGo(signal)) handle(signal);
}

/** Leaves a signal to the system again, which ends the process, at once where the signal has been kept. */
export function leaveSignal(signal: NodeJS.Signals): void {
  const leave = (): void => {
    if (letGo(signal)) process.kill(process.pid, signal);
  };
  // One that the system has delivered is heard of when the event loop polls: for certain before the second turn ends.
  setImmediate(() => setImmediate(leave));
}

/** @returns whether the signal has come meanwhile */
function letGo(signal: NodeJS.Signals): boolean {
  const kept = held.get(signal);
  if (!kept) return false;
  held.delete(signal);
  process.off(signal, kept.note);
  return kept.hasCome;
}
