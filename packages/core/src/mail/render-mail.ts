import { Mail } from './mail-transport.js';

/** The content of a mail: paragraphs of plain text, and optionally a link below them. */
export interface MailBody {
  readonly paragraphs: readonly string[];
  readonly link?: { readonly label: string; readonly url: string };
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (char) => HTML_ENTITIES[char] ?? char);

/**
 * Renders a mail both as plain text and as HTML. It escapes all values in the HTML, so the values may come from users.
 *
 * Do not use it for a mail with its own layout: pass your own `text` and `html` to `Mails.send()`.
 * @example const mail = { to, subject: 'Your order', ...renderMail({ paragraphs: [`Order ${id} is on its way.`] }) };
 */
export function renderMail({ paragraphs, link }: MailBody): Pick<Mail, 'text' | 'html'> {
  const anchor = link && `<a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`;
  const blocks = [...paragraphs.map(escapeHtml), ...(anchor ? [anchor] : [])].map(
    (block) => `<p>${block}</p>`,
  );
  return {
    text: [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : [])].join('\n\n') + '\n',
    html: `<!doctype html>\n<html lang="en"><body style="font-family: sans-serif">\n${blocks.join('\n')}\n</body></html>\n`,
  };
}
