import { Get } from '@nestjs/common';

import { ofCaller } from '#src/access/caller.decorator.js';
import { belongsTo, itself } from '#src/access/grants/granted.js';
import { Needs } from '#src/access/needs.decorator.js';
import { Resource } from '#src/common/http/resource.decorator.js';
import { ListParameters } from '#src/common/lists/list-parameters.decorator.js';
import type { ListQuery } from '#src/common/lists/list-query.js';
import { pageOf } from '#src/common/lists/list-representation.js';
import { Answers, AnswersList } from '#src/common/openapi/answers.decorator.js';
import { Fails } from '#src/common/openapi/fails.decorator.js';
import { PathKey } from '#src/common/validation/id.decorator.js';
import type { Key } from '#src/database/resource-repository.js';

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
  policy: { granted: [itself('order'), belongsTo('user', 'userId')] },
})
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @Needs('read')
  @AnswersList(OrderDto, 'List orders')
  async list(@ListParameters(orderList, ofCaller('userId')) query: ListQuery) {
    return pageOf(toOrder)(await this.orders.list(query));
  }

  @Get(':id')
  @Needs('read')
  @Answers(200, OrderDto, 'Read an order')
  @Fails(ORDER_NOT_FOUND)
  async get(@PathKey({ id: 'id' }, ofCaller('userId')) key: Key<OrderRow>) {
    return orderOf(await this.orders.get(key));
  }
}
