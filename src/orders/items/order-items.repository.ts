import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository } from '@plinth/core';

import { OrderItem } from '../order.entity.js';
import { ORDER_ITEMS } from '../order.resource.js';

@Injectable()
export class OrderItemsRepository extends ResourceRepository<OrderItem> {
  constructor(database: Database) {
    super(database, ORDER_ITEMS);
  }
}
