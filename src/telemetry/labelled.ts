/** The label for everything once there are as many labels as are kept. */
export const OTHER = 'other';

/** One set of numbers for each label, made when it is first asked for. Their count is bounded, whatever asks. */
export class Labelled<Numbers> {
  private readonly byLabel = new Map<string, Numbers>();

  /** @param maxLabels further labels share one set, `other` */
  constructor(
    private readonly make: () => Numbers,
    private readonly maxLabels = 500,
  ) {}

  of(label: string): Numbers {
    return this.byLabel.get(label) ?? this.add(this.byLabel.size < this.maxLabels ? label : OTHER);
  }

  [Symbol.iterator](): IterableIterator<[label: string, numbers: Numbers]> {
    return this.byLabel.entries();
  }

  private add(label: string): Numbers {
    const numbers = this.byLabel.get(label) ?? this.make();
    this.byLabel.set(label, numbers);
    return numbers;
  }
}

/** Counts by label. */
export class Tally extends Labelled<{ count: number }> {
  constructor(maxLabels?: number) {
    super(() => ({ count: 0 }), maxLabels);
  }

  increment(label: string): void {
    this.of(label).count++;
  }
}
