import { Body, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import {
  ApiErrorResponse,
  Caller,
  CurrentUser,
  grantsOn,
  grantsOnParent,
  ListQuery,
  Page,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
  Transaction,
} from '@plinth/core';

import { USER_NOT_FOUND } from '../users/user.errors.js';
import { CreateOrderDto, OrderDto, OrderKey, PatchOrderDto } from './order.dto.js';
import { Order } from './order.entity.js';
import { INVALID_STATUS_TRANSITION, ORDER_NOT_DELETABLE, PRODUCT_OUT_OF_STOCK } from './order.errors.js';
import { orderList, ORDERS } from './order.resource.js';
import { statusTable } from './order-status.js';
import { OrdersService } from './orders.service.js';

/** Staff see all orders; other users see only their own orders. */
@Resource({ ...ORDERS, version: ['1', '2'], responseDto: OrderDto })
@RequirePermission('read', { staff: true, ownerField: 'userId' })
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  list(@ListQuery(orderList) query: ListQuery): Promise<Page<Order>> {
    return this.orders.list(query);
  }

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Order> {
    return this.orders.get(id, caller);
  }
}

@Resource({
  ...ORDERS,
  path: 'users/:id/orders',
  version: ['1', '2'],
  responseDto: OrderDto,
  grants: [grantsOn('order', 'orderId'), grantsOnParent('user', 'userId', 'id')],
})
export class UserOrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @RequirePermission('read', { staff: true, selfParam: 'id' })
  @ApiErrorResponse(USER_NOT_FOUND)
  list(
    @Param('id', ParseIdPipe) userId: number,
    @ListQuery(orderList, { userId: 'id' }) query: ListQuery,
  ): Promise<Page<Order>> {
    return this.orders.listOfUser(userId, query);
  }

  @Get(':orderId')
  @RequirePermission('read', { staff: true, selfParam: 'id' })
  get(@Param() key: OrderKey, @CurrentUser() caller: Caller): Promise<Order> {
    return this.orders.get(key, caller);
  }

  @Post()
  @RequirePermission('create', { selfParam: 'id' })
  @ApiOperation({
    summary: 'Place an order',
    description:
      'Copies the names and prices of the products, and computes `total` from them. If a product does not exist, the ' +
      'response is 422 with `PRODUCT_NOT_FOUND` in `details`. If a product is not in stock, the response is 409 ' +
      '`PRODUCT_OUT_OF_STOCK`.',
  })
  @ApiErrorResponse(PRODUCT_OUT_OF_STOCK)
  create(
    @Param('id', ParseIdPipe) userId: number,
    @Body() { items }: CreateOrderDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Order> {
    return this.orders.place(userId, items, caller, tx);
  }

  @Patch(':orderId')
  @RequirePermission('update', { selfParam: 'id' })
  @ApiOperation({
    summary: 'Change the status of an order',
    description: `${statusTable()}\n\nAny other change gets 409 \`INVALID_STATUS_TRANSITION\`.`,
  })
  @ApiErrorResponse(INVALID_STATUS_TRANSITION)
  patch(
    @Param() key: OrderKey,
    @Body() { status }: PatchOrderDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Order> {
    return this.orders.move(key, status, caller, preconditions);
  }

  @Delete(':orderId')
  @RequirePermission('delete')
  @ApiErrorResponse(ORDER_NOT_DELETABLE)
  remove(
    @Param() key: OrderKey,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.orders.remove(key, caller, preconditions);
  }
}
