import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository } from '@plinth/core';

import type { OrderItemKey } from '../order.dto.js';
import { OrderItem } from '../order.entity.js';
import { ORDER_ITEMS } from '../order.resource.js';

@Injectable()
export class OrderItemsRepository extends ResourceRepository<OrderItem> {
  constructor(database: Database) {
    super(database, ORDER_ITEMS);
  }

  protected override keyFor({ id, orderId, userId }: OrderItem): OrderItemKey {
    return { id, orderId, userId };
  }
}
