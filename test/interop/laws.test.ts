import { Controller, Get, Injectable, Module, StreamableFile } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { MigrationsModule } from '@plinth/core';
import { describeLaws } from '@plinth/dev/testing';
import {
  Column,
  Entity,
  ManyToOne,
  MigrationInterface,
  OneToMany,
  PrimaryGeneratedColumn,
  QueryRunner,
  type Relation,
  Repository,
} from 'typeorm';

import { AppModule } from '../../src/app.module.js';

@Entity('authors')
class Author {
  @PrimaryGeneratedColumn()
  id: number;

  @OneToMany(() => Article, (article) => article.author)
  articles: Relation<Article>[];
}

@Entity('articles')
class Article {
  @PrimaryGeneratedColumn()
  id: number;

  @Column('text')
  title: string;

  @ManyToOne(() => Author, (author) => author.articles)
  author: Relation<Author>;
}

class CreateNews1795400000000 implements MigrationInterface {
  name = 'CreateNews1795400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table authors (id serial primary key)');
    await queryRunner.query('create table articles (id serial primary key, title text not null)');
    await queryRunner.query(`alter table articles add "authorId" int,
      add constraint "articles_authorId_fkey" foreign key ("authorId") references authors`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table articles, authors');
  }
}

@Injectable()
class NewsService {
  constructor(@InjectRepository(Article) private readonly articles: Repository<Article>) {}

  list(): Promise<Article[]> {
    return this.articles.find({ relations: { author: true } });
  }
}

@Controller({ path: 'news', version: '1' })
class NewsController {
  constructor(private readonly news: NewsService) {}

  @Get()
  list(): Promise<Article[]> {
    return this.news.list();
  }

  @Get('file')
  async file(): Promise<StreamableFile> {
    return new StreamableFile(Buffer.from(JSON.stringify(await this.news.list())));
  }
}

@Module({
  imports: [
    TypeOrmModule.forFeature([Author, Article]),
    MigrationsModule.forFeature(CreateNews1795400000000),
  ],
  controllers: [NewsController],
  providers: [NewsService],
})
class NewsModule {}

@Module({ imports: [AppModule, NewsModule] })
class TeamModule {}

describe('an ordinary NestJS module of a team keeps all laws', () => {
  describeLaws(TeamModule, {
    open: [
      'POST /auth/email-verification/confirm',
      'POST /auth/password-reset',
      'POST /auth/password-reset/confirm',
      'POST /auth/refresh',
      'POST /login',
      'POST /logout',
      'POST /users',
    ],
    openToAnonymousRole: ['products', 'products/:id/reviews', 'reviews']
      .flatMap((path) => [`GET /${path}`, `GET /${path}/:${path.includes('/') ? 'reviewId' : 'id'}`])
      .concat('GET /products/facets')
      .sort(),
  });
});
