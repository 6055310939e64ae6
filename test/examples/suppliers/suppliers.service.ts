import { Injectable } from '@nestjs/common';

import { ServiceOf } from '../../../src/resources/service-of.js';
import { SUPPLIERS } from './supplier.resource.js';

@Injectable()
export class SuppliersService extends ServiceOf(SUPPLIERS) {}
