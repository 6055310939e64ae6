/** The metrics at one moment. */
export class Scrape {
  private constructor(readonly text: string) {}

  static async of(url: string): Promise<Scrape> {
    // The time limit of Prometheus.
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    return new Scrape(await response.text());
  }

  /** The names of all metrics, including those without a value. */
  get names(): string[] {
    return [...this.text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string);
  }

  /** All samples. `labels` is the text between the braces. */
  get samples(): { name: string; labels: string; value: number }[] {
    return this.text.split('\n').flatMap((line) => {
      const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return name === undefined ? [] : [{ name, labels, value: Number(value) }];
    });
  }

  /** The sum of all values of a metric that have the given labels, among others. */
  sum(name: string, labels: Readonly<Record<string, string | number>> = {}): number {
    return this.samples
      .filter((sample) => sample.name === name)
      .filter((sample) =>
        Object.entries(labels).every(([label, wanted]) =>
          `,${sample.labels}`.includes(`,${label}="${wanted}"`),
        ),
      )
      .reduce((sum, { value }) => sum + value, 0);
  }

  /** The values of a label of a metric. */
  valuesOf(name: string, label: string): string[] {
    const pattern = new RegExp(`^${name}(?:_bucket|_count|_sum)?\\{(?:.*,)?${label}="([^"]*)"`, 'gm');
    return [...new Set([...this.text.matchAll(pattern)].map(([, value]) => value as string))].sort();
  }
}
