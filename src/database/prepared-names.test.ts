import { PreparedNames, statementName } from './prepared-names.js';

test('the first texts have names for good, further ones have none', () => {
  const names = new PreparedNames(2);
  const [one, two] = [names.of('select 1'), names.of('select 2')];
  expect(new Set([one, two]).size).toBe(2);
  for (const further of ['select 3', 'select 4']) expect(names.of(further)).toBeUndefined();
  expect([names.of('select 1'), names.of('select 2')]).toEqual([one, two]);
});

test('a text has one name, whoever asks', () => {
  expect(new PreparedNames(1).of('select 1')).toBe(statementName('select 1'));
});

test('what is the same whatever clients send always has a name', () => {
  for (let n = 0; n < 2_000; n++) expect(statementName(`select ${n}`)).toMatch(/^q_[\w-]{27}$/);
});
