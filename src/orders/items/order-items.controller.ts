import { Body, Delete, Patch, Post } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';

import type { Access } from '../../access/access.js';
import { CallerAccess } from '../../access/caller.decorator.js';
import { BelongsTo } from '../../resources/belongs-to.decorator.js';
import { Preconditions } from '../../resources/preconditions.decorator.js';
import { Fails } from '../../resources/openapi/fails.decorator.js';
import { PathKey } from '../../resources/path-id.decorator.js';
import { Resource } from '../../resources/resource.js';
import { ReadRoutesOf } from '../../resources/routes-of.js';
import { Transaction } from '../../resources/transaction.decorator.js';
import { NewOrderItemDto, PatchOrderItemDto } from '../order.dto.js';
import { OrderItem, OrderItemDto } from '../order.entity.js';
import * as errors from '../order.errors.js';
import { OF_USER, ORDER_ITEMS, ORDERS } from '../order.resource.js';
import { OrderItemsService } from './order-items.service.js';

const VERSIONS = { version: ['1', '2'], of: OrderItemDto };
const NOT_EDITABLE = [errors.ORDER_NOT_FOUND, errors.ORDER_NOT_EDITABLE, errors.ORDER_ITEM_COUNT];
const NOT_ORDERABLE = [errors.PRODUCT_OUT_OF_STOCK, errors.ORDER_TOTAL_TOO_LARGE];

/** The items of all orders, to the staff; to others, of their own. */
@Resource({ ...ORDER_ITEMS, ...VERSIONS })
export class OrderItemsController extends ReadRoutesOf(OrderItemsService) {}

/** The items of one order, which change while it is pending. */
@Resource({
  ...ORDER_ITEMS,
  ...VERSIONS,
  path: 'users/:id/orders/:orderId/items',
  collection: 'order-items',
  parent: { of: ORDERS, property: 'orderId', parent: OF_USER },
})
export class ItemsOfOrderController extends ReadRoutesOf(OrderItemsService, 'itemId') {
  @Post()
  @ApiOperation({ summary: 'Add an item to a pending order', operationId: 'createOrderItem' })
  @Fails(...NOT_EDITABLE, ...NOT_ORDERABLE)
  create(
    @BelongsTo() order: BelongsTo<OrderItem, 'orderId' | 'userId'>,
    @Body() body: NewOrderItemDto,
    @CallerAccess() access: Access,
    @Transaction() tx: Transaction,
  ) {
    return this.service.add(order, body, access, tx);
  }

  @Patch(':itemId')
  @ApiOperation({ summary: 'Change an item of a pending order', operationId: 'patchOrderItem' })
  @Fails(...NOT_EDITABLE, ...NOT_ORDERABLE)
  patch(
    @PathKey() key: PathKey<OrderItem, 'orderId' | 'userId'>,
    @Body() body: PatchOrderItemDto,
    @CallerAccess() access: Access,
    @Preconditions() preconditions: Preconditions,
  ) {
    return this.service.change(key, body, access, preconditions);
  }

  @Delete(':itemId')
  @ApiOperation({ summary: 'Delete an item of a pending order', operationId: 'deleteOrderItem' })
  @Fails(...NOT_EDITABLE)
  remove(
    @PathKey() key: PathKey<OrderItem, 'orderId' | 'userId'>,
    @Preconditions() preconditions: Preconditions,
  ) {
    return this.service.takeOut(key, preconditions);
  }
}
