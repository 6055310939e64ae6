import { Transform } from 'class-transformer';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

@Entity('products')
export class Product {
  @PrimaryGeneratedColumn()
  id: number;

  @Column()
  name: string;

  // Only the serializer of the application on Fastify reads `@Transform()`.
  @Transform(({ value }) => Number(value))
  @Column('decimal')
  price: string;

  @Column('varchar', { nullable: true })
  category: string | null;

  @Column({ name: 'in_stock', default: true })
  inStock: boolean;

  @Column('decimal', { nullable: true })
  rating: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
