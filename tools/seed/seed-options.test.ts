import { UsageError } from '../usage-error.js';
import { readSeedOptions, USAGE } from './seed-options.js';

const summary = (...args: string[]): unknown => {
  const options = readSeedOptions(args);
  return options && [options.wanted.map(({ generator, count }) => [generator.name, count]), options.seed];
};

describe('the options of the seed command', () => {
  it.each([
    [
      ['--products', '1'],
      [[['products', 1]], 1],
    ],
    [
      ['--products=250', '--seed', '0'],
      [[['products', 250]], 0],
    ],
    [['--help', '--products', 'x'], null],
  ])('reads %j', (args, expected) => {
    expect(summary(...args)).toEqual(expected);
  });

  it.each([
    [[], 'nothing to add'],
    [['--seed', '2'], 'nothing to add'],
    [['--products'], 'argument missing'],
    [['--products', 'many'], '--products: got "many", takes a whole number from 1 to'],
    [['--products', '0'], '--products: got "0"'],
    [['--products', '-5'], 'ambiguous'],
    [['--products', '1.5'], '--products: got "1.5"'],
    [['--products', '99999999999'], 'takes a whole number'],
    [['--products', '5', '--seed', '4294967296'], '--seed: got'],
    [['--elephants', '5'], "Unknown option '--elephants'"],
    [['5'], "Unexpected argument '5'"],
  ])('refuses %j', (args, message) => {
    expect(() => readSeedOptions(args)).toThrow(UsageError);
    expect(() => readSeedOptions(args)).toThrow(message);
  });

  it('D1 reads what the demo data takes', () => {
    expect(readSeedOptions(['--demo', '--password-file', 'secret'])).toEqual({
      wanted: [],
      seed: 1,
      demo: true,
      passwordFile: 'secret',
    });
    expect(() => readSeedOptions(['--products', '1', '--password-file', 'secret'])).toThrow(
      'goes with --demo',
    );
  });

  it('explains what can be seeded', () => {
    expect(USAGE).toContain('--products <n>');
  });
});
