import type { ApiVersions } from '@plinth/core';

/** The versions of the API. The settings `API_V1_DEPRECATED_AT` and `API_V1_SUNSET_AT` end version 1. */
export const VERSIONS: ApiVersions = {
  1: { successor: 2 },
  2: { showsEntityTags: true },
};
