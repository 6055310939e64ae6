/** Errors have one form, so the page of an operation shows it once, with the first of them. */
const ERROR = `.response:is([data-code^="4"], [data-code^="5"], [data-code="default"])`;
/** What the page shows of a response below its description: an example, a schema, headers. */
const FORM = '.response-col_description > :not(:first-child)';
/** The tables of an operation. On a phone, their rows are stacked instead of squeezed into columns. */
const TABLE = ':is(.parameters, .responses-table, .headers)';

/**
 * Saves the room that Swagger UI's own style wastes; the dialog of credentials opens at its first form, not at its last.
 * An operation is at most four screens high on a phone of 390 by 844 pixels.
 */
export const SWAGGER_CSS = `
.swagger-ui .topbar .link { display: none; }
.swagger-ui .info { margin: 20px 0; }
.swagger-ui .scheme-container { margin: 0; padding: 10px 0; }
.swagger-ui .auth-container ~ .auth-container input { animation: unfocusable 1ms step-end; }
@keyframes unfocusable { from { visibility: hidden; } }
.swagger-ui table.responses-table .response-col_links { display: none !important; }
.swagger-ui :is(.response[data-code="304"], ${ERROR} ~ ${ERROR}) ${FORM} { display: none; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 8px; }
  .swagger-ui .topbar .topbar-wrapper { flex-wrap: wrap; }
  .swagger-ui .topbar :is(form, select) { min-width: 0; max-width: 100%; }
  .swagger-ui .opblock table${TABLE} :is(tbody, tr, td) { display: block; width: auto; padding: 0; }
  .swagger-ui .opblock table${TABLE} > thead { display: none; }
  .swagger-ui .opblock table${TABLE} tr { padding-bottom: 6px; }
  .swagger-ui .opblock table${TABLE} td.response-col_status { float: left; min-width: 0; margin-right: 8px; }
  .swagger-ui .opblock table.headers td.header-col { display: inline; padding-right: 8px; font-size: 12px; }
  .swagger-ui .opblock table.headers td :is(div, p) { display: inline; }
  .swagger-ui .opblock :is(.parameter__name, .parameter__type, .parameter__in) { display: inline; margin-right: 8px; padding: 0; }
  .swagger-ui .opblock .parameter__deprecated:empty { display: none; }
  .swagger-ui .opblock .parameters-col_description { margin: 0; }
  .swagger-ui .opblock .parameters td > :is(input, select):disabled { display: none; }
  .swagger-ui .opblock .renderedMarkdown { max-width: 100%; overflow-wrap: anywhere; }
  .swagger-ui .opblock .renderedMarkdown :is(p, li) { margin: 0 0 4px; font-size: 13px; line-height: 1.3; }
  .swagger-ui .opblock .renderedMarkdown code { padding: 0 2px; font-size: 12px; }
  .swagger-ui .opblock .response-controls { padding-top: 0; }
  .swagger-ui .opblock .renderedMarkdown ul { margin: 0; padding: 0; list-style: none; }
  .swagger-ui .opblock :is(.opblock-section-header, .opblock-description-wrapper) { padding: 8px; }
  .swagger-ui .opblock :is(.responses-inner, .table-container) { padding: 8px; }
  .swagger-ui .opblock .model-example .highlight-code > pre { max-height: 240px; margin: 4px 0; overflow: auto; }
}`;

/** Shows the statuses of an operation in as many lines as they need, and all of a line of code in the guides. */
export const SCALAR_CSS = `
.response-card .scalar-card-header-tabs, .response-card .tab-list { flex-wrap: wrap; }
.response-card .scalar-card-header-title { flex-basis: 100%; }
.markdown pre, .markdown pre code { white-space: pre-wrap; overflow-wrap: anywhere; }`;
