import { isWidening } from './column-types.js';

describe('isWidening', () => {
  it.each([
    ['character varying(100)', 'character varying(200)'],
    ['character varying(100)', 'character varying'],
    ['character varying(100)', 'text'],
    ['smallint', 'integer'],
    ['integer', 'bigint'],
    ['integer', 'numeric'],
    ['integer', 'numeric(12,2)'],
    ['numeric(12,2)', 'numeric(13,3)'],
    ['numeric(12,2)', 'numeric'],
    ['real', 'double precision'],
    ['timestamp(0) with time zone', 'timestamp(3) with time zone'],
    ['timestamp(3) with time zone', 'timestamp with time zone'],
    ['character varying(10)[]', 'character varying(20)[]'],
    ['date', 'date'],
  ])('takes %s to %s', (from, to) => {
    expect(isWidening(from, to)).toBe(true);
  });

  it.each([
    ['character varying(200)', 'character varying(100)'],
    ['text', 'character varying(100)'],
    ['bigint', 'integer'],
    ['integer', 'numeric(10,2)'],
    ['integer', 'double precision'],
    ['integer', 'character varying(20)'],
    ['numeric(12,2)', 'numeric(12,3)'],
    ['numeric(12,2)', 'numeric(12,1)'],
    ['numeric', 'numeric(12,2)'],
    ['timestamp(3) with time zone', 'timestamp(0) with time zone'],
    ['timestamp(3) with time zone', 'timestamp(3) without time zone'],
    ['date', 'timestamp(3) with time zone'],
    ['character varying(10)', 'character varying(20)[]'],
    ['uuid', 'text'],
  ])('refuses %s to %s', (from, to) => {
    expect(isWidening(from, to)).toBe(false);
  });
});
