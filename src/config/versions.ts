import type { ApiVersions } from '@plinth/core';

/** The versions of the API. `API_V1_DEPRECATED_AT` and `API_V1_SUNSET_AT` say when version 1 is retired. */
export const VERSIONS: ApiVersions = {
  1: { successor: 2 },
  2: { showsEntityTags: true },
};
