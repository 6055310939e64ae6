import { parsePermissions } from '../../access/permission-list.js';
import { Representation } from '../../resources/representation.js';
import { ApiKeyDto, CreatedApiKeyDto } from './api-key.dto.js';
import { ApiKeyRow } from './api-keys.repository.js';

export function toApiKey(row: ApiKeyRow): ApiKeyDto {
  return {
    id: row.id,
    userId: row.userId,
    name: row.name,
    permissions: parsePermissions(row.permissions),
    hint: row.hint,
    lastUsedAt: row.lastUsedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export const apiKeyOf = (row: ApiKeyRow): Representation<ApiKeyDto> => new Representation(toApiKey(row), row);

/** With the key itself, for the response to its creation. */
export const createdApiKeyOf = ({
  row,
  key,
}: {
  row: ApiKeyRow;
  key: string;
}): Representation<CreatedApiKeyDto> => new Representation({ ...toApiKey(row), key }, row);
