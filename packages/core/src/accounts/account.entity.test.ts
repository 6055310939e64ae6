import { Entity } from 'typeorm';

import { Role } from '../config/define-access.js';
import { accountClass, AccountEntity } from './account.entity.js';

it('requires exactly one entity that extends AccountEntity', () => {
  expect(accountClass).toThrow(
    'exactly one entity of an application must extend AccountEntity (found: none)',
  );

  @Entity('members')
  class Member extends AccountEntity {
    role: Role;
  }
  expect(accountClass()).toBe(Member);

  @Entity('guests')
  class Guest extends AccountEntity {
    role: Role;
  }
  expect(accountClass).toThrow(`found: ${Member.name}, ${Guest.name}`);
});
