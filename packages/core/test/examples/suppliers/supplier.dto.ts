import { BodyOf, PatchOf, PickOf } from '@plinth/core';

import { Supplier } from './supplier.entity.js';

export class SupplierDto extends PickOf(Supplier, ['id', 'name', 'country', 'createdAt', 'updatedAt']) {}

export class SupplierBodyDto extends BodyOf(SupplierDto, ['name', 'country']) {}

export class PatchSupplierDto extends PatchOf(SupplierBodyDto) {}
