import { Representation } from '../resources/representation.js';
import { UserDto } from './dto/user.dto.js';
import { UserRow } from './users.repository.js';

export function toUser(row: UserRow): UserDto {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export const userOf = (row: UserRow): Representation<UserDto> => new Representation(toUser(row), row);
