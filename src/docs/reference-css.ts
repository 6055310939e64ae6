/**
 * The looks of the reference: texts and code in colours that stand out enough from their grounds (WCAG 2.2, 1.4.3), and
 * code of the guides that breaks its lines, so that nothing has to be scrolled sideways, which keyboards could not.
 * Tables of the guides are as wide as their words: their first columns name things, whose names stay whole. On phones
 * they are set narrower, so that words stay whole in the others too, but for long values in second columns.
 */
export const REFERENCE_CSS = `
.light-mode {
  --scalar-color-2: #5f5f5f; --scalar-color-3: #6a6a6a;
  --scalar-color-blue: #0068b0; --scalar-color-orange: #b43e00; --scalar-color-green: #00784c; --scalar-color-yellow: #866500; --scalar-color-red: #d10000;
}
.dark-mode { --scalar-color-3: #969696; --scalar-color-red: #ff7b7b; }
.markdown table { table-layout: auto !important; }
.markdown th:first-child, .markdown td:first-child { word-break: normal !important; overflow-wrap: break-word !important; }
.markdown td:first-child code { white-space: nowrap !important; }
@media (min-width: 360px) and (max-width: 600px) {
  .markdown th, .markdown td { padding-inline: 6px !important; word-break: normal !important; overflow-wrap: break-word !important; }
  .markdown td code { font-size: 11px !important; overflow-wrap: break-word !important; }
  .markdown td:nth-child(2) { min-width: 31vw; }
  .markdown td:nth-child(2) code { overflow-wrap: anywhere !important; }
}
.markdown pre code.hljs, .markdown pre code.hljs * { white-space: pre-wrap !important; overflow-wrap: anywhere !important; }
`;
