import { Delete, Get, Patch, Post } from '@nestjs/common';

import type { Access } from '../access/access.js';
import { CallerAccess } from '../access/caller.decorator.js';
import { grantsOn, grantsVia } from '../access/grant-links.js';
import { RequirePermission } from '../access/require-permission.decorator.js';
import type { WriteConditions } from '../http/caching/preconditions.js';
import { ListParameters } from '../lists/list-parameters.decorator.js';
import type { ListQuery } from '../lists/list-query.js';
import { pageOf } from '../lists/list-representation.js';
import { Conditions } from '../resources/conditions.decorator.js';
import { Idempotent, type Once } from '../resources/idempotency/once.decorator.js';
import { ofPath } from '../resources/of-path.js';
import { Answers, AnswersList, AnswersNothing } from '../resources/openapi/answers.decorator.js';
import { Fails } from '../resources/openapi/fails.decorator.js';
import { PathId, PathKey } from '../resources/path-id.decorator.js';
import { Payload } from '../resources/payload.decorator.js';
import { Resource } from '../resources/resource.decorator.js';
import { USER_NOT_FOUND } from '../users/user.errors.js';
import { CreateOrderDto, OrderDto, OrderHeadDto, PatchOrderDto } from './dto/order.dto.js';
import * as errors from './order.errors.js';
import { orderList } from './order.lists.js';
import { orderOf, toOrder } from './order.mapper.js';
import type { OrderKey } from './orders.repository.js';
import { OrdersService } from './orders.service.js';

const KEY = { userId: 'id', id: 'orderId' };

/** The orders of one user: their own affair, and the staff's. */
@Resource({
  path: 'users/:id/orders',
  version: ['1', '2'],
  of: OrderDto,
  policy: { grants: [grantsOn('order', 'orderId'), grantsVia('user', 'userId', 'id')] },
})
export class UserOrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @RequirePermission('read', { orSelf: 'id', staff: true })
  @AnswersList(OrderDto, 'List the orders of a user')
  @Fails(USER_NOT_FOUND)
  async list(@PathId() userId: number, @ListParameters(orderList, ofPath('userId')) query: ListQuery) {
    return pageOf(toOrder)(await this.orders.listOf(userId, query));
  }

  @Get(':orderId')
  @RequirePermission('read', { orSelf: 'id', staff: true })
  @Answers(200, OrderDto, 'Read an order of a user')
  @Fails(errors.ORDER_NOT_FOUND)
  async get(@PathKey(KEY) key: OrderKey) {
    return orderOf(await this.orders.get(key));
  }

  @Post()
  @RequirePermission('create', { orSelf: 'id' })
  @Answers(201, OrderDto, 'Place an order')
  @Fails(USER_NOT_FOUND, errors.PRODUCT_OUT_OF_STOCK, errors.ORDER_TOTAL_TOO_LARGE)
  create(
    @PathId() userId: number,
    @Payload(CreateOrderDto, OrderDto) { items }: CreateOrderDto,
    @CallerAccess() access: Access,
    @Idempotent() once: Once,
  ) {
    return once(async (on) => orderOf(await this.orders.create(userId, items, access, on)));
  }

  @Patch(':orderId')
  @RequirePermission('update', { orSelf: 'id' })
  @Answers(200, OrderDto, 'Move an order to another status')
  @Fails(errors.ORDER_NOT_FOUND, errors.INVALID_STATUS_TRANSITION)
  async patch(
    @PathKey(KEY) key: OrderKey,
    @Payload(PatchOrderDto, OrderHeadDto) body: PatchOrderDto,
    @CallerAccess() access: Access,
    @Conditions() conditions: WriteConditions,
  ) {
    return orderOf(await this.orders.patch(key, body, access, conditions));
  }

  @Delete(':orderId')
  @RequirePermission('delete')
  @AnswersNothing('Delete an order')
  @Fails(errors.ORDER_NOT_FOUND, errors.ORDER_NOT_DELETABLE)
  async remove(@PathKey(KEY) key: OrderKey, @Conditions() conditions: WriteConditions) {
    await this.orders.remove(key, conditions);
  }
}
