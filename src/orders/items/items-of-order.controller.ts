import { Delete, Get, Patch, Post } from '@nestjs/common';

import type { Access } from '../../access/access.js';
import { CallerAccess } from '../../access/caller.decorator.js';
import { grantsVia } from '../../access/grant-links.js';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import type { WriteConditions } from '../../http/caching/preconditions.js';
import { ListParameters } from '../../lists/list-parameters.decorator.js';
import type { ListQuery } from '../../lists/list-query.js';
import { pageOf } from '../../lists/list-representation.js';
import { Conditions } from '../../resources/conditions.decorator.js';
import { Idempotent, type Once } from '../../resources/idempotency/once.decorator.js';
import { ofPath } from '../../resources/of-path.js';
import { Answers, AnswersList, AnswersNothing } from '../../resources/openapi/answers.decorator.js';
import { Fails } from '../../resources/openapi/fails.decorator.js';
import { PathKey } from '../../resources/path-id.decorator.js';
import { Payload } from '../../resources/payload.decorator.js';
import { Resource } from '../../resources/resource.decorator.js';
import { NewOrderItemDto, OrderItemDto, PatchOrderItemDto } from '../dto/order-item.dto.js';
import * as errors from '../order.errors.js';
import { orderItemList } from '../order.lists.js';
import { orderItemOf, toOrderItem } from '../order.mapper.js';
import type { OrderKey } from '../orders.repository.js';
import type { OrderItemKey } from './order-items.repository.js';
import { OrderItemsService } from './order-items.service.js';

const ORDER = { userId: 'id', id: 'orderId' };
const KEY = { userId: 'id', orderId: 'orderId', id: 'itemId' };
const NOT_EDITABLE = [errors.ORDER_NOT_FOUND, errors.ORDER_NOT_EDITABLE, errors.ORDER_ITEM_COUNT];

/** The items of one order, which change while it is pending. */
@Resource({
  path: 'users/:id/orders/:orderId/items',
  version: ['1', '2'],
  of: OrderItemDto,
  collection: 'order-items',
  policy: { grants: [grantsVia('order', 'orderId'), grantsVia('user', 'userId', 'id')] },
})
export class ItemsOfOrderController {
  constructor(private readonly items: OrderItemsService) {}

  @Get()
  @RequirePermission('read', { orSelf: 'id', staff: true })
  @AnswersList(OrderItemDto, 'List the items of an order')
  @Fails(errors.ORDER_NOT_FOUND)
  async list(
    @PathKey(ORDER) order: OrderKey,
    @ListParameters(orderItemList, ofPath('userId'), ofPath('orderId', 'orderId')) query: ListQuery,
  ) {
    return pageOf(toOrderItem)(await this.items.listOf(order, query));
  }

  @Get(':itemId')
  @RequirePermission('read', { orSelf: 'id', staff: true })
  @Answers(200, OrderItemDto, 'Read an item of an order')
  @Fails(errors.ORDER_ITEM_NOT_FOUND)
  async get(@PathKey(KEY) key: OrderItemKey) {
    return orderItemOf(await this.items.get(key));
  }

  @Post()
  @RequirePermission('create', { orSelf: 'id' })
  @Answers(201, OrderItemDto, 'Add an item to a pending order')
  @Fails(
    ...NOT_EDITABLE,
    errors.ORDER_ITEM_ALREADY_EXISTS,
    errors.PRODUCT_OUT_OF_STOCK,
    errors.ORDER_TOTAL_TOO_LARGE,
  )
  create(
    @PathKey(ORDER) order: OrderKey,
    @Payload(NewOrderItemDto, OrderItemDto) body: NewOrderItemDto,
    @CallerAccess() access: Access,
    @Idempotent() once: Once,
  ) {
    return once(async (on) => orderItemOf(await this.items.create(order, body, access, on)));
  }

  @Patch(':itemId')
  @RequirePermission('update', { orSelf: 'id' })
  @Answers(200, OrderItemDto, 'Change an item of a pending order')
  @Fails(
    ...NOT_EDITABLE,
    errors.ORDER_ITEM_NOT_FOUND,
    errors.ORDER_ITEM_ALREADY_EXISTS,
    errors.PRODUCT_OUT_OF_STOCK,
    errors.ORDER_TOTAL_TOO_LARGE,
  )
  async patch(
    @PathKey(KEY) key: OrderItemKey,
    @Payload(PatchOrderItemDto, OrderItemDto) body: PatchOrderItemDto,
    @CallerAccess() access: Access,
    @Conditions() conditions: WriteConditions,
  ) {
    return orderItemOf(await this.items.patch(key, body, access, conditions));
  }

  @Delete(':itemId')
  @RequirePermission('delete', { orSelf: 'id' })
  @AnswersNothing('Remove an item from a pending order')
  @Fails(...NOT_EDITABLE, errors.ORDER_ITEM_NOT_FOUND)
  async remove(@PathKey(KEY) key: OrderItemKey, @Conditions() conditions: WriteConditions) {
    await this.items.remove(key, conditions);
  }
}
