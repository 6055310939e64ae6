/** The scripts' calls of Jest, as far as a test of them asks. */
export function suiteArguments(suite: string, args: string[]): string[];
