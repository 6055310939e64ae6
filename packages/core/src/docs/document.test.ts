import { Integer } from '../fields/fields.js';
import { shownBy } from '../resources/openapi/answers.decorator.js';
import { refuseSameNames } from './document.js';

class PartDto {
  @Integer()
  id: number;
}

class PartV2Dto {
  @Integer()
  id: number;
}

it('DTOs that give schemas of one name are refused, the tagged ones of version 2 too', () => {
  const policies = (...shown: Parameters<typeof shownBy>[]) =>
    shown.map(([dto, isTagged]) => ({ policy: { shows: shownBy(dto, isTagged) } }));
  refuseSameNames(policies([PartDto, false], [PartDto, true], [PartDto, true]));
  expect(() => refuseSameNames(policies([PartDto, true], [PartV2Dto, true]))).toThrow(
    'PartDto and PartV2Dto both give PartV2: rename one of them',
  );
  const Other = { PartDto: class extends PartV2Dto {} }.PartDto;
  expect(() => refuseSameNames(policies([PartDto, false], [Other, false]))).toThrow('PartDto and PartDto');
});
