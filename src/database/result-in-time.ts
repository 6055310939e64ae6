/** How long those of a batch wait for each other, and for statements that ran before. */
const LIMIT_MS = 500;

/** The result of a statement; `undefined` if it takes longer than half a second, whatever comes of it. */
export function resultInTime<T>(result: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const isLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, LIMIT_MS, undefined);
  });
  return Promise.race([result, isLong]).finally(() => {
    clearTimeout(timer);
  });
}
