import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { withReferenced } from './referenced-entities.js';

@Entity()
class Country {
  @PrimaryColumn({ type: 'integer' })
  id: number;
}

class Numbered {
  @PrimaryColumn({ type: 'integer' })
  @ForeignKey(() => Country)
  countryId: number;
}

@Entity()
class Supplier extends Numbered {}

@Entity()
class Lamp {
  @PrimaryColumn({ type: 'integer' })
  @ForeignKey(() => Supplier)
  supplierId: number;

  @PrimaryColumn({ type: 'integer' })
  @ForeignKey('Lamp')
  twinId: number;
}

describe('the entities of a data source', () => {
  it('are those that are named and all that their foreign keys lead to', () => {
    expect(withReferenced([Lamp])).toEqual([Lamp, Supplier, Country]);
    expect(withReferenced([Country])).toEqual([Country]);
  });
});
