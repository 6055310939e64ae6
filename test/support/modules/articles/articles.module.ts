import { Body, Delete, Get, Injectable, Module, Param, Patch, Post, Put } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  Batch,
  BatchResults,
  BodyOf,
  Caller,
  contains,
  CurrentUser,
  Database,
  defineErrors,
  defineList,
  ListQuery,
  Page,
  ParseIdPipe,
  PatchOf,
  PickOf,
  Preconditions,
  RequirePermission,
  Resource,
  ResourceDefinition,
  ResourceRepository,
  ResourceService,
  Transaction,
} from '@plinth/core';

import { Article } from './article.entity.js';

const { ARTICLE_NOT_FOUND } = defineErrors({ ARTICLE_NOT_FOUND: [404, 'There is no such article.'] });

export const articleList = defineList(Article, {
  name: 'articles',
  filters: {
    tag: contains('tags'),
    channel: contains('channels'),
    city: contains('place', 'city'),
    since: contains('place', 'since'),
    label: contains('place', 'labels'),
    lat: contains('place', 'position', 'lat'),
  },
  sorts: ['title'],
});

const ARTICLES: ResourceDefinition<Article> = {
  path: 'articles',
  entity: Article,
  notFound: ARTICLE_NOT_FOUND,
};

const WRITTEN = ['title', 'tags', 'keywords', 'authors', 'channels', 'place', 'position'] as const;

class ArticleDto extends PickOf(Article, ['id', 'title', 'tags']) {}
class ArticleV2Dto extends PickOf(Article, ['id', ...WRITTEN, 'createdAt', 'updatedAt']) {}
class ArticleBodyDto extends BodyOf(ArticleV2Dto, WRITTEN) {}
class PatchArticleDto extends PatchOf(ArticleBodyDto) {}

@Injectable()
class ArticlesRepository extends ResourceRepository<Article> {
  constructor(database: Database) {
    super(database, ARTICLES);
  }
}

@Injectable()
class ArticlesService extends ResourceService<Article> {
  constructor(articles: ArticlesRepository) {
    super(articles);
  }
}

@Resource({ ...ARTICLES, responseDto: { 1: ArticleDto, 2: ArticleV2Dto } })
class ArticlesController {
  constructor(private readonly articles: ArticlesService) {}

  @Get()
  @RequirePermission('read')
  list(@ListQuery(articleList) query: ListQuery): Promise<Page<Article>> {
    return this.articles.list(query);
  }

  @Get(':id')
  @RequirePermission('read')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Article> {
    return this.articles.get(id, caller);
  }

  @Post()
  @RequirePermission('create')
  create(@Body() body: ArticleBodyDto, @Transaction() tx: Transaction): Promise<Article> {
    return this.articles.create(body, tx);
  }

  @Post('batch')
  batch(@Batch() batch: Batch): Promise<BatchResults> {
    return batch.run(this.articles);
  }

  @Put(':id')
  @RequirePermission('update')
  replace(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: ArticleBodyDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Article> {
    return this.articles.replace(id, body, caller, preconditions);
  }

  @Patch(':id')
  @RequirePermission('update')
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchArticleDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Article> {
    return this.articles.patch(id, body, caller, preconditions);
  }

  @Delete(':id')
  @RequirePermission('delete')
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.articles.remove(id, caller, preconditions);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Article])],
  controllers: [ArticlesController],
  providers: [ArticlesService, ArticlesRepository],
})
export class ArticlesModule {}
