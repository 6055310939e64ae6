import { Entity } from 'typeorm';

import { Role } from '../config/define-access.js';
import { accountClass, AccountEntity } from './account.entity.js';

it('the entity of the users is the one that extends AccountEntity; without one, and with two, the service does not start', () => {
  expect(accountClass).toThrow('Exactly one entity of an application extends AccountEntity; found: none');

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
