import { Body, Delete, Patch, Post } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';

import type { Access } from '../access/access.js';
import { CallerAccess } from '../access/caller.decorator.js';
import { BelongsTo } from '../resources/belongs-to.decorator.js';
import { Preconditions } from '../resources/preconditions.decorator.js';
import { Fails } from '../resources/openapi/fails.decorator.js';
import { PathKey } from '../resources/path-id.decorator.js';
import { Resource } from '../resources/resource.js';
import { ReadRoutesOf } from '../resources/routes-of.js';
import { Transaction } from '../resources/transaction.decorator.js';
import { CreateOrderDto, OrderDto, PatchOrderDto } from './order.dto.js';
import { Order } from './order.entity.js';
import { INVALID_STATUS_TRANSITION, ORDER_NOT_DELETABLE, PRODUCT_OUT_OF_STOCK } from './order.errors.js';
import { OF_USER, ORDERS } from './order.resource.js';
import { statusTable } from './order-status.js';
import { OrdersService } from './orders.service.js';

const VERSIONS = { version: ['1', '2'], of: OrderDto };

/** All orders, to the staff; to others, their own. */
@Resource({ ...ORDERS, ...VERSIONS })
export class OrdersController extends ReadRoutesOf(OrdersService) {}

/** The orders of one user. */
@Resource({ ...ORDERS, ...VERSIONS, path: 'users/:id/orders', parent: OF_USER })
export class UserOrdersController extends ReadRoutesOf(OrdersService, 'orderId') {
  @Post()
  @ApiOperation({
    summary: 'Place an order',
    description:
      'Names and prices of the products are copied, and `total` is computed from them. An unknown product is 422 with ' +
      '`PRODUCT_NOT_FOUND` in `details`; one that is not in stock is 409 `PRODUCT_OUT_OF_STOCK`.',
  })
  @Fails(PRODUCT_OUT_OF_STOCK)
  create(
    @BelongsTo() { userId }: BelongsTo<Order, 'userId'>,
    @Body() { items }: CreateOrderDto,
    @CallerAccess() access: Access,
    @Transaction() tx: Transaction,
  ) {
    return this.service.place(userId, items, access, tx);
  }

  @Patch(':orderId')
  @ApiOperation({
    summary: 'Move an order to another status',
    description: `${statusTable()}\n\nAny other move is 409 \`INVALID_STATUS_TRANSITION\`.`,
  })
  @Fails(INVALID_STATUS_TRANSITION)
  patch(
    @PathKey() key: PathKey<Order>,
    @Body() { status }: PatchOrderDto,
    @CallerAccess() access: Access,
    @Preconditions() preconditions: Preconditions,
  ) {
    return this.service.move(key, status, access, preconditions);
  }

  @Delete(':orderId')
  @Fails(ORDER_NOT_DELETABLE)
  remove(@PathKey() key: PathKey<Order>, @Preconditions() preconditions: Preconditions) {
    return this.service.remove(key, preconditions);
  }
}
