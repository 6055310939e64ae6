import { Get } from '@nestjs/common';

import { grantsVia } from '../../access/grant-links.js';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import { ListParameters } from '../../lists/list-parameters.decorator.js';
import type { ListQuery } from '../../lists/list-query.js';
import { pageOf } from '../../lists/list-representation.js';
import { Answers, AnswersList } from '../../resources/openapi/answers.decorator.js';
import { Fails } from '../../resources/openapi/fails.decorator.js';
import { PathKey } from '../../resources/path-id.decorator.js';
import type { Key } from '../../resources/resource-repository.js';
import { Resource } from '../../resources/resource.decorator.js';
import { OrderItemDto } from '../dto/order-item.dto.js';
import { ORDER_ITEM_NOT_FOUND } from '../order.errors.js';
import { orderItemList } from '../order.lists.js';
import { orderItemOf, toOrderItem } from '../order.mapper.js';
import type { OrderItemRow } from './order-items.repository.js';
import { OrderItemsService } from './order-items.service.js';

/** The items of all orders, to the staff; to others, of their own. */
@Resource({
  path: 'order-items',
  version: ['1', '2'],
  of: OrderItemDto,
  policy: { grants: [grantsVia('order', 'orderId'), grantsVia('user', 'userId')] },
})
export class OrderItemsController {
  constructor(private readonly items: OrderItemsService) {}

  @Get()
  @RequirePermission('read', { staff: true, orOwner: 'userId' })
  @AnswersList(OrderItemDto, 'List order items')
  async list(@ListParameters(orderItemList) query: ListQuery) {
    return pageOf(toOrderItem)(await this.items.list(query));
  }

  @Get(':id')
  @RequirePermission('read', { staff: true, orOwner: 'userId' })
  @Answers(200, OrderItemDto, 'Read an order item')
  @Fails(ORDER_ITEM_NOT_FOUND)
  async get(@PathKey({ id: 'id' }) key: Key<OrderItemRow>) {
    return orderItemOf(await this.items.get(key));
  }
}
