/** The body of an answer that refuses a request. */
export interface Envelope {
  readonly error: {
    readonly code: string;
    readonly status: number;
    readonly details: readonly { readonly field: string; readonly code: string; readonly message: string }[];
  };
}

/** The status and code of an answer that refuses a request, and its faults as `field CODE`. */
export async function faultsOf(answer: Promise<{ readonly body: unknown }>): Promise<string[]> {
  const { error } = (await answer).body as Envelope;
  return [`${error.status} ${error.code}`, ...error.details.map(({ field, code }) => `${field} ${code}`)];
}
