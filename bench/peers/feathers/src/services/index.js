import { product } from './products/products.js';
import { user } from './users/users.js';
export const services = (app) => {
  app.configure(product);

  app.configure(user);

  // All services will be registered here
};
