/** The metrics at one moment. */
export class Scrape {
  private constructor(readonly text: string) {}

  static async of(url: string): Promise<Scrape> {
    const response = await fetch(url);
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    return new Scrape(await response.text());
  }

  /** The names of all metrics, including those without a value. */
  get names(): string[] {
    return [...this.text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string);
  }

  /** The sum of all values of a metric that have the given labels, among others. */
  sum(name: string, labels: Readonly<Record<string, string | number>> = {}): number {
    let sum = 0;
    for (const line of this.text.split('\n')) {
      const [, found, given = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const has = Object.entries(labels).every(([label, wanted]) =>
        `,${given}`.includes(`,${label}="${wanted}"`),
      );
      if (found === name && has) sum += Number(value);
    }
    return sum;
  }

  /** The values of a label of a metric. */
  valuesOf(name: string, label: string): string[] {
    const pattern = new RegExp(`^${name}(?:_bucket|_count|_sum)?\\{(?:.*,)?${label}="([^"]*)"`, 'gm');
    return [...new Set([...this.text.matchAll(pattern)].map(([, value]) => value as string))].sort();
  }
}
