import { Resource } from '../resources/resource.js';
import { RoutesOf } from '../resources/routes-of.js';
import * as dto from './product.dto.js';
import { Product } from './product.entity.js';
import { PRODUCTS } from './product.resource.js';
import { ProductsService } from './products.service.js';

@Resource({ ...PRODUCTS, version: '1', of: dto.ProductDto })
export class ProductsController extends RoutesOf(ProductsService, {
  create: dto.CreateProductDto,
  replace: dto.ReplaceProductDto,
  patch: dto.PatchProductDto,
}) {}

/** Version 2 shows and takes more of a product. */
@Resource({
  ...PRODUCTS,
  version: '2',
  of: dto.ProductV2Dto,
  show: (product: Product): dto.ProductV2Dto => ({ ...product, currency: 'USD' }),
})
export class ProductsV2Controller extends RoutesOf(ProductsService, {
  create: dto.CreateProductV2Dto,
  replace: dto.ReplaceProductV2Dto,
  patch: dto.PatchProductV2Dto,
}) {}
