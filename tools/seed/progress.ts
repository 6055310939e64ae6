import { SingleBar } from 'cli-progress';

/** Shows how far a long piece of work is. */
export interface Progress {
  readonly advance: (by: number) => void;
  /** Ends the display with a line that stays and says how many there are in the end. */
  readonly end: (count: number) => void;
}

/** A bar where a person looks on, and a line at the end in any case. Both go to standard error. */
export function showProgress(
  name: string,
  total: number,
  stream: NodeJS.WriteStream = process.stderr,
): Progress {
  const begin = performance.now();
  // Signals are the command's own.
  const bar = new SingleBar({
    format: `${name} [{bar}] {percentage}% | {value}/{total} | {eta_formatted} left`,
    stream,
    clearOnComplete: true,
    // Off would stay off where a signal ends the process.
    linewrap: true,
    gracefulExit: false,
  });
  const isWatched = stream.isTTY;
  if (isWatched) bar.start(total, 0);
  return {
    advance: (by) => {
      if (isWatched) bar.increment(by);
    },
    end: (count) => {
      bar.stop();
      const seconds = (performance.now() - begin) / 1000;
      stream.write(`added ${count.toLocaleString('en')} ${name} in ${seconds.toFixed(1)} s\n`);
    },
  };
}
