import { Body, Module, Patch, UsePipes, ValidationPipe } from '@nestjs/common';

import { PatchProductDto, ProductDto } from '../../src/products/product.dto.js';
import { Product } from '../../src/products/product.entity.js';
import { PRODUCTS } from '../../src/products/product.resource.js';
import { ProductsController } from '../../src/products/products.controller.js';
import { ProductsModule } from '../../src/products/products.module.js';
import { PathKey } from '../../src/resources/path-id.decorator.js';
import { Preconditions } from '../../src/resources/preconditions.decorator.js';
import { Resource } from '../../src/resources/resource.js';

/** What a controller of a resource says of unknown fields holds for its bodies. */
@Resource({ ...PRODUCTS, path: 'tolerant-products', version: '1', of: ProductDto })
@UsePipes(new ValidationPipe({ whitelist: true }))
class TolerantProductsController extends ProductsController {
  @Patch(':id')
  @UsePipes(new ValidationPipe({ forbidNonWhitelisted: true, whitelist: true }))
  override patch(
    @PathKey() key: PathKey<Product>,
    @Body() body: PatchProductDto,
    @Preconditions() preconditions: Preconditions,
  ) {
    return super.patch(key, body, preconditions);
  }
}

@Module({ imports: [ProductsModule], controllers: [TolerantProductsController] })
export class TolerantProductsModule {}
