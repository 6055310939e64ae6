import { Get } from '@nestjs/common';

import { grantsOn, grantsVia } from '../access/grant-links.js';
import { RequirePermission } from '../access/require-permission.decorator.js';
import { ListParameters } from '../lists/list-parameters.decorator.js';
import type { ListQuery } from '../lists/list-query.js';
import { pageOf } from '../lists/list-representation.js';
import { Answers, AnswersList } from '../resources/openapi/answers.decorator.js';
import { Fails } from '../resources/openapi/fails.decorator.js';
import { PathKey } from '../resources/path-id.decorator.js';
import type { Key } from '../resources/resource-repository.js';
import { Resource } from '../resources/resource.decorator.js';
import { OrderDto } from './dto/order.dto.js';
import { ORDER_NOT_FOUND } from './order.errors.js';
import { orderList } from './order.lists.js';
import { orderOf, toOrder } from './order.mapper.js';
import type { OrderRow } from './orders.repository.js';
import { OrdersService } from './orders.service.js';

/** All orders, to the staff; to others, their own. */
@Resource({
  path: 'orders',
  version: ['1', '2'],
  of: OrderDto,
  policy: { grants: [grantsOn('order'), grantsVia('user', 'userId')] },
})
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @RequirePermission('read', { staff: true, orOwner: 'userId' })
  @AnswersList(OrderDto, 'List orders')
  async list(@ListParameters(orderList) query: ListQuery) {
    return pageOf(toOrder)(await this.orders.list(query));
  }

  @Get(':id')
  @RequirePermission('read', { staff: true, orOwner: 'userId' })
  @Answers(200, OrderDto, 'Read an order')
  @Fails(ORDER_NOT_FOUND)
  async get(@PathKey({ id: 'id' }) key: Key<OrderRow>) {
    return orderOf(await this.orders.get(key));
  }
}
