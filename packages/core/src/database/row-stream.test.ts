import { RowCursor } from './row-cursor.js';
import { RowStream } from './row-stream.js';

/** Creates a cursor that returns some batches. The batch `'wait'` is returned only when `deliver` is called. */
function createCursor(...batches: (number[] | 'wait')[]): {
  cursor: RowCursor;
  ends: string[];
  deliver: () => void;
} {
  const ends: string[] = [];
  let deliver = (): void => undefined;
  const cursor = {
    next: (): Promise<object[]> => {
      const batch = batches.shift() ?? [];
      if (batch !== 'wait') return Promise.resolve(batch.map((n) => ({ n })));
      return new Promise((resolve) => (deliver = () => resolve([])));
    },
    close: () => Promise.resolve(void ends.push('closed')),
    abort: () => void ends.push('aborted'),
  };
  return { cursor: cursor as unknown as RowCursor, ends, deliver: () => deliver() };
}

test('returns the rows of all batches in order, from one cursor', async () => {
  const { cursor } = createCursor([1, 2], [3]);
  let opened = 0;
  const stream = new RowStream<{ n: number }>(() => Promise.resolve((opened++, cursor)));
  expect(opened).toBe(0);
  const rows: number[] = [];
  for await (const { n } of stream) rows.push(n);
  expect([rows, opened]).toEqual([[1, 2, 3], 1]);
});

test('closes the cursor if the reader stops', async () => {
  const { cursor, ends } = createCursor([1, 2]);
  for await (const _ of new RowStream(() => Promise.resolve(cursor))) break;
  expect(ends).toEqual(['closed']);
});

test('aborts the cursor if the reader leaves while a batch is read', async () => {
  const { cursor, ends, deliver } = createCursor([1], 'wait');
  const stream = new RowStream(() => Promise.resolve(cursor));
  await stream.next();
  const waiting = stream.next();
  await stream.return();
  expect(ends).toEqual(['aborted']);
  deliver();
  expect((await waiting).done).toBe(true);
});

test('aborts a cursor that opens after the reader left', async () => {
  const { cursor, ends } = createCursor([1]);
  let open = (_: RowCursor): void => undefined;
  const stream = new RowStream(() => new Promise<RowCursor>((resolve) => (open = resolve)));
  const waiting = stream.next();
  await stream.return();
  open(cursor);
  expect([(await waiting).done, ends]).toEqual([true, ['aborted']]);
});

test('opens no cursor if the reader leaves before the first row', async () => {
  const stream = new RowStream(() => Promise.reject(new Error('opened')));
  await stream.return();
  expect((await stream.next()).done).toBe(true);
});
