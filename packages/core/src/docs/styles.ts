/**
 * Makes Swagger UI more compact. The dialog of credentials opens at its first form instead of its last. An operation
 * shows the schema of errors once, at the first error. On a phone, the cells of a row are stacked. An operation is then
 * at most four screens of 390 by 844 pixels high.
 */
export const SWAGGER_CSS = `
@keyframes unfocusable { from { visibility: hidden; } }
.swagger-ui {
  .topbar .link { display: none; }
  .info { margin: 20px 0; }
  .scheme-container { margin: 0; padding: 10px 0; }
  .auth-container ~ .auth-container input { animation: unfocusable 1ms step-end; }
  table.responses-table .response-col_links { display: none !important; }
  .response[data-code="304"],
  .response:is([data-code^="4"], [data-code^="5"]) ~ .response:is([data-code^="4"], [data-code^="5"], [data-code="default"]) {
    .response-col_description > :not(:first-child) { display: none; }
  }
}
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 8px; }
  .swagger-ui .topbar {
    .topbar-wrapper { flex-wrap: wrap; }
    :is(form, select) { min-width: 0; max-width: 100%; }
  }
  .swagger-ui .opblock {
    table:is(.parameters, .responses-table, .headers) {
      :is(tbody, tr, td) { display: block; width: auto; padding: 0; }
      > thead { display: none; }
      tr { padding-bottom: 6px; }
      td.response-col_status { float: left; min-width: 0; margin-right: 8px; }
      td.header-col, td.header-col :is(div, p) { display: inline; padding-right: 4px; font-size: 12px; }
    }
    :is(.parameter__name, .parameter__type, .parameter__in) { display: inline; margin-right: 8px; padding: 0; }
    .parameter__deprecated:empty { display: none; }
    .parameters-col_description { margin: 0; }
    .parameters td > :is(input, select):disabled { display: none; }
    .renderedMarkdown {
      max-width: 100%;
      overflow-wrap: anywhere;
      :is(p, li) { margin: 0 0 4px; font-size: 13px; line-height: 1.3; }
      code { padding: 0 2px; font-size: 12px; }
      ul { margin: 0; padding: 0; list-style: none; }
    }
    .response-controls { padding-top: 0; }
    :is(.opblock-section-header, .opblock-description-wrapper, .responses-inner, .table-container) { padding: 8px; }
    .model-example .highlight-code > pre { max-height: 240px; margin: 4px 0; overflow: auto; }
  }
}`;

/** Wraps the list of an operation's statuses, and long lines of code in the guides. */
export const SCALAR_CSS = `
.response-card .scalar-card-header-tabs, .response-card .tab-list { flex-wrap: wrap; }
.response-card .scalar-card-header-title { flex-basis: 100%; }
.markdown pre code.hljs, .markdown pre code.hljs * { white-space: pre-wrap !important; overflow-wrap: anywhere !important; }`;
