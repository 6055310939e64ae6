'use strict';

const ACTIONS = ['find', 'findOne', 'create'].map((action) => `api::product.product.${action}`);

module.exports = {
  register() {},

  /** Lets signed-in users read and create products, as the administrator does in the admin panel. */
  async bootstrap({ strapi }) {
    const role = await strapi
      .query('plugin::users-permissions.role')
      .findOne({ where: { type: 'authenticated' } });
    const permissions = strapi.query('plugin::users-permissions.permission');
    for (const action of ACTIONS) {
      const granted = await permissions.findOne({ where: { action, role: role.id } });
      if (!granted) await permissions.create({ data: { action, role: role.id } });
    }
  },
};
