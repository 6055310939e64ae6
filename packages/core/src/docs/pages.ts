/** Saves the room that Swagger UI's own style wastes; the dialog of credentials opens at its first form, not at its last. */
export const SWAGGER_CSS = `
.swagger-ui .topbar .link { display: none; }
.swagger-ui .info { margin: 20px 0; }
.swagger-ui .scheme-container { margin: 0; padding: 10px 0; }
.swagger-ui .auth-container ~ .auth-container input { animation: unfocusable 1ms step-end; }
@keyframes unfocusable { from { visibility: hidden; } }`;

/** The statuses of an operation in as many lines as they need. */
export const SCALAR_CSS = `
.response-card .scalar-card-header-tabs, .response-card .tab-list { flex-wrap: wrap; }
.response-card .scalar-card-header-title { flex-basis: 100%; }`;

/** A collection of Immutable.js, as far as the filter needs it. */
interface Collection {
  readonly size: number;
  get(key: string): Collection;
  getIn(path: readonly string[]): string;
  update(key: string, change: (part: Collection) => Collection): Collection;
  map(change: (part: Collection, key: string) => Collection): Collection;
  filter(test: (part: Collection) => boolean): Collection;
}

/** Filters operations by tag, path and summary, in any case. The page gets its text: it uses nothing from here. */
export function opsFilter(groups: Collection, words: string): Collection {
  const has = (text: string): boolean => text.toLowerCase().includes(words.toLowerCase());
  const filtered = groups.map((group, tag) =>
    group.update('operations', (operations) =>
      operations.filter((one) => has(`${tag} ${one.getIn(['path'])} ${one.getIn(['operation', 'summary'])}`)),
    ),
  );
  return filtered.filter((group) => group.get('operations').size > 0);
}
