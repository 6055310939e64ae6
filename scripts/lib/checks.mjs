/** Prints the output of failed checks, and a summary. @returns the exit code */
export function report(results) {
  for (const { name, failed, output } of results) {
    if (!failed || !output) continue;
    heading(name);
    console.log(output.trimEnd());
  }
  heading('summary');
  for (const result of results) console.log(line(result));
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
  return total('failed') === 0 ? 0 : 1;
}

export const heading = (text) => console.log(`\n=== ${text}`);
export const secondsSince = (begin) => (performance.now() - begin) / 1000;

const line = ({ name, passed, failed, seconds }) =>
  `${failed ? 'FAIL' : 'ok  '} ${name.padEnd(8)} ${`${passed} passed, ${failed} failed`.padEnd(28)} ${seconds.toFixed(1)} s`;
