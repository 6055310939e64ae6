import { Resource } from '../../../src/resources/resource.js';
import { RoutesOf } from '../../../src/resources/routes-of.js';
import { SupplierBodyDto, SupplierDto, PatchSupplierDto } from './supplier.dto.js';
import { SUPPLIERS } from './supplier.resource.js';
import { SuppliersService } from './suppliers.service.js';

const BODIES = { create: SupplierBodyDto, replace: SupplierBodyDto, patch: PatchSupplierDto };

@Resource({ ...SUPPLIERS, version: '2', of: SupplierDto })
export class SuppliersController extends RoutesOf(SuppliersService, BODIES) {}
