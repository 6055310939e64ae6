/** A method's colour as the ground of white text, and as a line on white. */
const METHODS = {
  get: '#1f66b8',
  post: '#0f7a4a',
  put: '#a35200',
  patch: '#0b7568',
  delete: '#c62828',
};

const methodRules = Object.entries(METHODS).map(
  ([name, colour]) =>
    `.swagger-ui .opblock.opblock-${name} .opblock-summary-method { background: ${colour}; }`,
);

/** Texts of Swagger UI in colours that stand out enough from their grounds (WCAG 2.2, 1.4.3), light and dark. */
export const SWAGGER_CONTRAST = `
${methodRules.join('\n')}
.swagger-ui .info .title small { background: #5a626e; }
.swagger-ui .info .title small.version-stamp { background: #456300; }
html:not(.dark-mode) .swagger-ui .info a, html:not(.dark-mode) .swagger-ui .info .base-url, html:not(.dark-mode) .swagger-ui .link { color: #1f66b8; }
html:not(.dark-mode) .swagger-ui .btn.authorize { color: #0f7a4a; border-color: #0f7a4a; }
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: #0f7a4a; }
html:not(.dark-mode) .swagger-ui .btn.cancel { color: #c62828; border-color: #c62828; }
html:not(.dark-mode) .swagger-ui .parameter__name.required::after, html:not(.dark-mode) .swagger-ui .parameter__name.required span { color: #c62828; }
html:not(.dark-mode) .swagger-ui .parameter__in { color: #5f5f5f; }
.swagger-ui .btn.execute { background: #1f66b8; border-color: #1f66b8; }
.dark-mode .swagger-ui .btn.cancel { color: #ff9d9d !important; border-color: #ff9d9d !important; }
.dark-mode .swagger-ui .header-col, .dark-mode .swagger-ui table.headers td { color: #e4e6e6; }
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #ff9f9f !important; }
`;
