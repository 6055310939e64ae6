/** `order items` → `OrderItems`. */
export const pascal = (text) =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) =>
      word === word.toUpperCase()
        ? word[0] + word.slice(1).toLowerCase()
        : word[0].toUpperCase() + word.slice(1),
    )
    .join('');

/** `Order items` → `orderItems`. */
export const camel = (text) => {
  const name = pascal(text);
  return name === '' ? '' : name[0].toLowerCase() + name.slice(1);
};

/** `order-items` → `order-item`. */
export const singular = (text) => {
  if (/ies$/.test(text)) return text.replace(/ies$/, 'y');
  if (/(s|x|z|ch|sh)es$/.test(text)) return text.replace(/es$/, '');
  return text.replace(/(?<!s)s$/, '');
};

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Returns a property name, quoted if necessary. */
export const property = (name) => (IDENTIFIER.test(name) ? name : JSON.stringify(name));

/** Returns a doc comment with these paragraphs, which may contain Markdown. Empty if there are none. */
export function comment(paragraphs, indent = '') {
  const lines = paragraphs
    .filter((paragraph) => paragraph)
    .join('\n\n')
    .replaceAll('*/', '*\\/')
    .split('\n')
    .map((line) => line.trimEnd());
  if (lines.length === 1 && lines[0] === '') return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}
