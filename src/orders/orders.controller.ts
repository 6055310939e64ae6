import { Get, Param } from '@nestjs/common';

import {
  Caller,
  CurrentUser,
  ListQuery,
  Page,
  ParseIdPipe,
  RequirePermission,
  Resource,
} from '../core/index.js';
import { OrderDto } from './order.dto.js';
import { Order } from './order.entity.js';
import { orderList, ORDERS } from './order.resource.js';
import { OrdersService } from './orders.service.js';

/** All orders, to the staff; to others, their own. */
@Resource({ ...ORDERS, version: ['1', '2'], shows: OrderDto })
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @RequirePermission('read', { staff: true, orOwner: 'userId' })
  list(@ListQuery(orderList) query: ListQuery): Promise<Page<Order>> {
    return this.orders.list(query);
  }

  @Get(':id')
  @RequirePermission('read', { staff: true, orOwner: 'userId' })
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Order> {
    return this.orders.get(id, caller);
  }
}
