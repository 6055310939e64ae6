import { PRODUCT } from '../config/product.js';

/** A text in a CSS string. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/**
 * The looks of Swagger UI here: the product's name in place of Swagger's logo, no link to a licence that has no page,
 * errors as lists of codes without a sample each, an opened operation on two screens of a desktop (a parameter's
 * example and default stand in its input), and room on phones.
 */
export const SWAGGER_CSS = `
.swagger-ui .topbar .link { font-size: 0; max-width: none; flex: 0 0 auto; }
.swagger-ui .topbar .link::after { content: ${quoted(`${PRODUCT.name} API`)}; font-size: 1.4rem; color: #fff; }
.swagger-ui .topbar .link > * { display: none; }
.swagger-ui .info__license { display: none; }
.swagger-ui .response:not([data-code^="2"]) .model-example,
.swagger-ui .response:not([data-code^="2"]) .response-controls,
.swagger-ui .response:not([data-code^="2"]) .headers-wrapper,
.swagger-ui .response:not([data-code^="2"]) .response-col_description > div:not(.response-col_description__inner) { display: none; }
.swagger-ui .response-col_description__inner ul { margin: 0; padding-left: 1.2em; }
.swagger-ui .response-col_description__inner li, .swagger-ui .response-col_description__inner p { font-size: 14px; line-height: 1.2; }
.swagger-ui .response-col_description__inner p { margin: 0 0 .3em; }
.swagger-ui .response-col_links, .swagger-ui .response-control-media-type__accept-message { display: none; }
.swagger-ui .responses-table .response td { padding-top: .35em; }
.swagger-ui .opblock-body .highlight-code pre { max-height: 11em; }
.swagger-ui .opblock .opblock-description-wrapper { padding: 10px 20px 5px; }
.swagger-ui .opblock-description-wrapper p { margin: 0 0 .6em; }
.swagger-ui .opblock-description-wrapper table { margin-bottom: .6em; }
.swagger-ui .opblock-description-wrapper table tbody tr td, .swagger-ui .opblock-description-wrapper table thead tr th { padding: 3px 0; }
.swagger-ui .opblock .opblock-section-header { min-height: 0; padding: 4px 20px; }
.swagger-ui .responses-inner, .swagger-ui .opblock-section .table-container { padding: 5px 20px; }
.swagger-ui .opblock .execute-wrapper { padding: 10px 20px; }
.swagger-ui table.parameters > tbody > tr > td { padding: 4px 10px 4px 0; vertical-align: middle; }
.swagger-ui .parameters-col_description > .renderedMarkdown + .renderedMarkdown { display: none; }
@media (min-width: 641px) {
  .swagger-ui .parameters-col_name { width: 11em; min-width: 11em; }
  .swagger-ui .parameters-col_name .parameter__name { white-space: nowrap; }
  .swagger-ui .parameters-col_description > .renderedMarkdown:first-child { display: inline-block; width: 58%; margin-right: 2%; vertical-align: middle; }
  .swagger-ui .parameters-col_description > input[type=text], .swagger-ui .parameters-col_description > select { display: inline-block; width: 38%; margin: 0; vertical-align: middle; }
}
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 8px; }
  .swagger-ui .topbar-wrapper { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; word-break: break-all; }
  .swagger-ui .parameters-col_name { width: 7em; min-width: 0; }
  .swagger-ui .parameters-col_name .prop-format { display: none; }
  .swagger-ui .response-controls { flex-direction: column; gap: .5em; }
  .swagger-ui .parameters-col_description input[type=text], .swagger-ui .parameters-col_description select { max-width: 100%; min-width: 0; width: 100%; }
  .swagger-ui table.headers, .swagger-ui .opblock-section-header { overflow-x: auto; }
}
`;
