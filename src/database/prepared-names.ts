import { createHash } from 'node:crypto';

/** How many texts of one kind have names, such as the pages of a list: docs/scaling.md has the kinds. */
const MAX_PREPARED = 200;

/**
 * The names of statements whose texts depend on what clients send. PostgreSQL and the driver keep what is prepared on a
 * connection until it is closed, which a busy one never is, and clients can ask for more statements than there is
 * memory for. The first ones get a name, for good, whether they come often or not. The others have none: they are
 * parsed each time, until the process is started again.
 */
export class PreparedNames {
  private readonly names = new Map<string, string>();

  constructor(private readonly max = MAX_PREPARED) {}

  /** The name for a text, always the same; `undefined` where as many texts have one as may. */
  of(text: string): string | undefined {
    let name = this.names.get(text);
    if (name === undefined && this.names.size < this.max)
      this.names.set(text, (name = `q_${createHash('sha1').update(text).digest('base64url')}`));
    return name;
  }
}

const always = new PreparedNames(Infinity);

/** The name of a statement whose texts are few, whatever clients send: each always has one. */
export const statementName = (text: string): string => always.of(text) as string;
