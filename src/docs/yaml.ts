/** Words that a reader of YAML 1.1 or 1.2 takes for something else than text. */
const NO_TEXT = /^(true|false|null|yes|no|on|off|y|n)$/i;
/**
 * Texts that need no quotes: words of letters, digits and signs without a meaning in YAML, with single spaces between.
 */
const PLAIN = /^[A-Za-z_$/][\w$/.+-]*( [\w$/.()+-]+)*$/;
/** Control characters, and line breaks of some versions of YAML. */
const UNPRINTABLE = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/**
 * Writes a value of JSON as YAML 1.2, in block style, with texts of several lines as literal blocks. It is a hundred
 * times as fast as a writer of all of YAML, which would keep requests waiting.
 */
export function toYaml(value: unknown): string {
  const { isBlock, lines } = written(value);
  return `${isBlock ? lines.join('\n') : (lines[0] ?? '')}\n`;
}

/** A value as lines, which are indented below its key; or, where it is no block, what follows its key. */
interface Written {
  readonly isBlock: boolean;
  readonly lines: readonly string[];
}

const inline = (text: string): Written => ({ isBlock: false, lines: [text] });

function written(value: unknown): Written {
  if (typeof value === 'string') return writtenText(value);
  if (typeof value !== 'object' || value === null) return inline(JSON.stringify(value));
  if (Array.isArray(value)) return value.length === 0 ? inline('[]') : listOf(value);
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  return entries.length === 0 ? inline('{}') : { isBlock: true, lines: entries.flatMap(member) };
}

function writtenText(text: string): Written {
  if (!text.includes('\n')) return inline(quoted(text));
  // Leading spaces and trailing lines would be read as indentation and chomping.
  if (UNPRINTABLE.test(text) || /^\s|\s$/.test(text)) return inline(JSON.stringify(text));
  return { isBlock: false, lines: ['|-', ...text.split('\n').map((line) => (line ? `  ${line}` : ''))] };
}

const quoted = (text: string): string =>
  PLAIN.test(text) && !NO_TEXT.test(text) ? text : JSON.stringify(text);

const listOf = (items: readonly unknown[]): Written => ({
  isBlock: true,
  lines: items.flatMap((item) => {
    const [first = '', ...others] = written(item).lines;
    return [`- ${first}`, ...others.map(indented)];
  }),
});

function member([key, value]: [string, unknown]): string[] {
  const { isBlock, lines } = written(value);
  if (isBlock) return [`${quoted(key)}:`, ...lines.map(indented)];
  const [first = '', ...others] = lines;
  return [`${quoted(key)}: ${first}`, ...others];
}

const indented = (line: string): string => (line ? `  ${line}` : '');
