import { Get, Param } from '@nestjs/common';

import {
  Caller,
  CurrentUser,
  ListQuery,
  Page,
  ParseIdPipe,
  RequirePermission,
  Resource,
} from '../../core/index.js';
import { OrderItem, OrderItemDto } from '../order.entity.js';
import { orderItemList, ORDER_ITEMS } from '../order.resource.js';
import { OrderItemsService } from './order-items.service.js';

/** The items of all orders, to the staff; to others, of their own. */
@Resource({ ...ORDER_ITEMS, version: ['1', '2'], shows: OrderItemDto })
export class OrderItemsController {
  constructor(private readonly items: OrderItemsService) {}

  @Get()
  @RequirePermission('read', { staff: true, orOwner: 'userId' })
  list(@ListQuery(orderItemList) query: ListQuery): Promise<Page<OrderItem>> {
    return this.items.list(query);
  }

  @Get(':id')
  @RequirePermission('read', { staff: true, orOwner: 'userId' })
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<OrderItem> {
    return this.items.get(id, caller);
  }
}
