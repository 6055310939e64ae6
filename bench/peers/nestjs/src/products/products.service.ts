import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CreateProductDto } from './dto/create-product.dto.js';
import { ListProductsDto } from './dto/list-products.dto.js';
import { Product } from './product.entity.js';

@Injectable()
export class ProductsService {
  constructor(
    @InjectRepository(Product)
    private readonly productsRepository: Repository<Product>,
  ) {}

  async findAll(query: ListProductsDto): Promise<{ data: Product[]; total: number }> {
    const { page, limit, category, inStock, sort } = query;
    const [data, total] = await this.productsRepository.findAndCount({
      where: {
        ...(category === undefined ? {} : { category }),
        ...(inStock === undefined ? {} : { inStock }),
      },
      order: sort === 'price' ? { price: 'ASC', id: 'ASC' } : { createdAt: 'DESC', id: 'DESC' },
      skip: (page - 1) * limit,
      take: limit,
    });
    return { data, total };
  }

  async findOne(id: number): Promise<Product> {
    const product = await this.productsRepository.findOneBy({ id });
    if (product === null) throw new NotFoundException();
    return product;
  }

  create(dto: CreateProductDto): Promise<Product> {
    const product = this.productsRepository.create({ ...dto, price: String(dto.price) });
    return this.productsRepository.save(product);
  }
}
