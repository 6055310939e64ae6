import { getMetadataStorage, IsInt, Length, validateSync, ValidatorOptions } from 'class-validator';

import { rememberRules } from './remembered-rules.js';

const storage = getMetadataStorage();
let searches = 0;
const find = storage.getTargetValidationMetadatas.bind(storage);
storage.getTargetValidationMetadatas = (...question) => {
  searches++;
  return find(...question);
};
rememberRules(storage);

class Lamp {
  @Length(1, 5)
  name: unknown;
  @IsInt({ groups: ['stock'] })
  count: unknown;
}

class Spot extends Lamp {
  @IsInt()
  watts: unknown;
}

const faults = (values: object, options?: ValidatorOptions): string[] =>
  validateSync(values, options).map(({ property }) => property);

test('#9 the rules of a class are looked for once', () => {
  faults(Object.assign(new Spot(), { name: 'x', watts: 5, count: 1 }));
  searches = 0;
  expect(faults(Object.assign(new Spot(), { name: '', watts: 'x', count: 1 }))).toEqual(['watts', 'name']);
  expect(faults(Object.assign(new Spot(), { name: 'x', watts: 5, count: 1 }))).toEqual([]);
  expect(searches).toBe(0);
});

test('groups are asked for each time', () => {
  const lamp = Object.assign(new Lamp(), { name: '', count: 'x' });
  expect(faults(lamp, { groups: ['stock'] })).toEqual(['count']);
  expect(faults(lamp, { groups: ['other'] })).toEqual([]);
  expect(faults(lamp)).toEqual(['name', 'count']);
  expect(faults(lamp, { strictGroups: true })).toEqual(['name']);
});

test('rules that are added later count', () => {
  const spot = Object.assign(new Spot(), { name: 'x', watts: 5, count: 1, depth: 'x' });
  expect(faults(spot)).toEqual([]);
  IsInt()(Lamp.prototype, 'depth');
  expect(faults(spot)).toEqual(['depth']);
});
