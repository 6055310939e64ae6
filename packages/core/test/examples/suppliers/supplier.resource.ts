import { defineList, equals, ResourceDefinition } from '@plinth/core';

import { Supplier } from './supplier.entity.js';
import { SUPPLIER_ALREADY_EXISTS, SUPPLIER_NOT_FOUND } from './supplier.errors.js';

export const supplierList = defineList(Supplier, {
  name: 'suppliers',
  filters: { name: equals('name'), country: equals('country') },
  sorts: ['name'],
});

export const SUPPLIERS: ResourceDefinition<Supplier> = {
  path: 'suppliers',
  entity: Supplier,
  notFound: SUPPLIER_NOT_FOUND,
  description: 'Suppliers.',
  constraints: { suppliers_name_key: SUPPLIER_ALREADY_EXISTS },
};
