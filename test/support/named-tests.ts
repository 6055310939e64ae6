import { readFileSync } from 'node:fs';

/** A test that a row of a page names. */
export interface NamedTest {
  /** The first cell of the row. */
  readonly row: string;
  readonly file: string;
  /** A part of a title in the file. */
  readonly title: string;
}

/** The rows of the tables of a page, as lists of cells. */
export const rowsOf = (page: string): string[][] =>
  readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) => line.slice(2, -2).split(' | '));

/** The tests that rows name in their third cell, as `file › title`. */
export const testsNamedBy = (rows: readonly string[][]): NamedTest[] =>
  rows.flatMap(([row = '', , shown = '']) =>
    [...shown.matchAll(/`(\S+\.test\.ts) › ([^`]*)`/g)].map(([, file = '', title = '']) => ({
      row,
      file,
      title: title.trim(),
    })),
  );

/**
 * The lines of a test file that contain the title, or a part of it, in quotes.
 *
 * @throws Error if the file does not exist
 */
export const titlesLike = (file: string, title: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /['"`]/.test(line) && line.includes(title));
