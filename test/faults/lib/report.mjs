const COLUMNS = [
  ['', 4, (row) => (row.skipped ? 'skip' : row.faults.length === 0 ? 'ok' : 'FAIL')],
  ['experiment', 26, (row) => row.name],
  ['times', -5, (row) => row.times],
  ['acked', -6, (row) => row.acknowledged],
  ['lost', -5, (row) => row.lost.length],
  ['half', -5, (row) => row.half.length],
  ['bad', -5, (row) => row.bad.length],
  ['cut', -5, (row) => row.cut],
  ['ready s', -7, (row) => row.ready?.toFixed(1) ?? '–'],
  ['took s', -6, (row) => row.seconds?.toFixed(0) ?? '–'],
  ['the fault', 0, (row) => row.did],
];

const LEGEND = `acked: writes answered with 2xx; lost: acknowledged writes that are not stored; half: writes stored in part; bad:
responses of 500 or without the error envelope; cut: requests without a response; ready s: the longest time in seconds
until the service was ready again; took s: the duration of the experiment in seconds`;

const cell = (width, text) => (width < 0 ? String(text).padStart(-width) : String(text).padEnd(width));

/** Prints the table, each line as soon as its experiment ends. */
export class Report {
  passed = 0;
  failed = 0;

  constructor(seed) {
    console.log(`${LEGEND}\nseed ${seed}\n`);
    console.log(COLUMNS.map(([title, width]) => cell(width, title)).join(' '));
  }

  row(row) {
    console.log(COLUMNS.map(([, width, of]) => cell(width, of(row))).join(' '));
    if (row.skipped) return console.log(`       ${row.skipped}`);
    if (row.faults.length === 0) this.passed++;
    else this.failed++;
    for (const fault of row.faults) console.log(`       ${fault}`);
    if (row.faults.length > 0) for (const note of row.notes) console.log(`       (${note})`);
  }

  /** @returns the exit code */
  end() {
    console.log(`\n${this.passed} passed, ${this.failed} failed`);
    return this.failed === 0 && this.passed > 0 ? 0 : 1;
  }
}
