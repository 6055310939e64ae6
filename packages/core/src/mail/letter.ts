import { Mail } from './mail-transport.js';

/** What a mail says: paragraphs of plain text, and a link below them. */
export interface Letter {
  readonly paragraphs: readonly string[];
  readonly link?: { readonly label: string; readonly url: string };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/**
 * The text of a mail and its HTML, in which everything is escaped.
 * @example const mail = { to, subject: 'Your order', ...letter({ paragraphs: [`Order ${id} is on its way.`] }) };
 */
export function letter({ paragraphs, link }: Letter): Pick<Mail, 'text' | 'html'> {
  const anchor = link && `<a href="${escaped(link.url)}">${escaped(link.label)}</a>`;
  const blocks = [...paragraphs.map(escaped), ...(anchor ? [anchor] : [])].map((block) => `<p>${block}</p>`);
  return {
    text: [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : [])].join('\n\n') + '\n',
    html: `<!doctype html>\n<html lang="en"><body style="font-family: sans-serif">\n${blocks.join('\n')}\n</body></html>\n`,
  };
}
