import { PRODUCT } from '../config/product.js';

/** The looks of Swagger UI: the product's name in place of Swagger's logo. */
export const SWAGGER_THEME = `
.swagger-ui .topbar .link > * { display: none; }
.swagger-ui .topbar .link::after { content: ${JSON.stringify(`${PRODUCT.name} API`)}; }
`;
