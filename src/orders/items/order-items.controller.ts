import { Get } from '@nestjs/common';

import { ofCaller } from '#src/access/caller.decorator.js';
import { belongsTo } from '#src/access/grants/granted.js';
import { Needs } from '#src/access/needs.decorator.js';
import { Resource } from '#src/common/http/resource.decorator.js';
import { ListParameters } from '#src/common/lists/list-parameters.decorator.js';
import type { ListQuery } from '#src/common/lists/list-query.js';
import { pageOf } from '#src/common/lists/list-representation.js';
import { Answers, AnswersList } from '#src/common/openapi/answers.decorator.js';
import { Fails } from '#src/common/openapi/fails.decorator.js';
import { PathKey } from '#src/common/validation/id.decorator.js';
import type { Key } from '#src/database/resource-repository.js';
import { OrderItemDto } from '#src/orders/dto/order-item.dto.js';
import { ORDER_ITEM_NOT_FOUND } from '#src/orders/order.errors.js';
import { orderItemList } from '#src/orders/order.lists.js';
import { orderItemOf, toOrderItem } from '#src/orders/order.mapper.js';

import type { OrderItemRow } from './order-items.repository.js';
import { OrderItemsService } from './order-items.service.js';

/** The items of all orders, to the staff; to others, of their own. */
@Resource({
  path: 'order-items',
  version: ['1', '2'],
  of: OrderItemDto,
  policy: { granted: [belongsTo('order', 'orderId'), belongsTo('user', 'userId')] },
})
export class OrderItemsController {
  constructor(private readonly items: OrderItemsService) {}

  @Get()
  @Needs('read')
  @AnswersList(OrderItemDto, 'List order items')
  async list(@ListParameters(orderItemList, ofCaller('userId')) query: ListQuery) {
    return pageOf(toOrderItem)(await this.items.list(query));
  }

  @Get(':id')
  @Needs('read')
  @Answers(200, OrderItemDto, 'Read an order item')
  @Fails(ORDER_ITEM_NOT_FOUND)
  async get(@PathKey({ id: 'id' }, ofCaller('userId')) key: Key<OrderItemRow>) {
    return orderItemOf(await this.items.get(key));
  }
}
