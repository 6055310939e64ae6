import { ValueType } from './constraints.js';
import { Property } from './shape.js';

// Values of queries, paths and forms, which are all texts.

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** The value that a text stands for; the text itself where it stands for none of that type. */
export function fromText(text: unknown, type: ValueType | undefined): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'number' && NUMBER.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** A parameter as the value of a property: a list may be there once. */
export function typedByText(given: unknown, { type, itemType }: Property): unknown {
  if (type !== 'array') return fromText(given, type);
  return [given].flat().map((item) => fromText(item, itemType));
}
