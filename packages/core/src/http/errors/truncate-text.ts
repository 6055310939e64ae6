/** Shortens text to `max` characters, and ends it with `…` if anything was cut off. */
export const truncateText = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max)}…` : text;

/** Shortens the message of an error to 2,000 characters. */
export const truncateMessage = (message: string): string => truncateText(message, 2_000);
