import { parseArgs, type ParseArgsConfig } from 'node:util';

/** A command of `plinth`. */
export interface Command {
  /** Returns the text of `--help`. @param root the folder of the project */
  usage(root: string): string | Promise<string>;
  /** @throws Error whose message says in one sentence why the command failed */
  run(root: string, args: readonly string[]): Promise<void>;
}

/** Prints a line of the result. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints a line about the work, which is not a part of the result. */
export const log = (line: string): void => void process.stderr.write(`${line}\n`);

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Reads the options and arguments of a command.
 *
 * @throws Error for an unknown option, or an option without its value. The message is one sentence.
 */
export function readArguments<const T extends Options>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: T }>> {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // Keeps only the first sentence, because Node.js adds advice for programmers.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    throw new Error(`${sentence}; --help lists the options.`, { cause: error });
  }
}
