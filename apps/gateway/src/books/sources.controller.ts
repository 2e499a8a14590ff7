import type { bookSourceSchema, newBookSourceSchema } from '#contracts/api/book-schemas.js';
import type { PageQuery } from '#contracts/api/paging.js';
import { priorityWeights, type SourcePriority, type SourceState } from '#contracts/knowledge.js';
import type { Database } from '#db/client.js';
import type { PageRequest } from '#db/page.js';
import type { Caller } from '#db/repositories/tenants.js';
import { bookCollection } from '#knowledge/book-collections.js';
import { addText } from '#knowledge/knowledge.js';
import { SourceRepository, type KnowledgeSource } from '#knowledge/store/sources.js';
import { DATABASE, STORE } from '#runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { byTime, readPage } from '../http/page.js';
import { FromCaller, Route, ValidBody, ValidQuery } from '../http/route.js';
import { QuotaService } from '../tenants/quota.service.js';
import { BookAccess } from './book-access.js';

/** Sources of books: a view of the knowledge of their projects (B14, B21). */
@Controller()
export class BookSourcesController {
  constructor(
    private readonly access: BookAccess,
    private readonly quota: QuotaService,
    @Inject(DATABASE) private readonly db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
  ) {}

  @Route('listBookSources')
  async list(
    @FromCaller() { tenantId }: Caller,
    @Param('project_id') projectId: string,
    @ValidQuery('listBookSources') query: PageQuery,
  ) {
    await this.access.project(tenantId, projectId);
    const collection = await bookCollection(this.db, tenantId, projectId, 'knowledge');
    const sources = new SourceRepository(this.db);
    const read = (request: PageRequest) => sources.page(tenantId, collection, {}, request);
    return readPage(query, byTime, read, (rows) => rows.map((row) => sourceView(projectId, row)));
  }

  @Route('addBookSource')
  async add(
    @FromCaller() { tenantId }: Caller,
    @Param('project_id') projectId: string,
    @ValidBody('addBookSource') { title, content, author, priority }: z.infer<typeof newBookSourceSchema>,
  ) {
    await this.access.project(tenantId, projectId);
    const collection = await bookCollection(this.db, tenantId, projectId, 'knowledge');
    const source = {
      name: title,
      title,
      text: content,
      priority,
      ...(author === undefined ? {} : { author }),
    };
    const limit = await this.quota.storageLimit(tenantId);
    const added = await addText({ db: this.db, store: this.store }, tenantId, collection, source, limit);
    return sourceView(projectId, added.source);
  }
}

function sourceView(projectId: string, row: KnowledgeSource): z.infer<typeof bookSourceSchema> {
  const priority = row.priority as SourcePriority;
  return {
    id: row.id,
    project_id: projectId,
    title: row.title ?? row.name,
    source_type: row.mediaType.startsWith('text/markdown') ? 'note' : 'file',
    metadata_json: {
      source_priority_label: priority,
      source_priority_weight: priorityWeights[priority],
      author: row.author,
      state: row.state as SourceState,
      problem: row.problem,
      chunks: row.chunks,
    },
    created_at: row.createdAt.toISOString(),
  };
}
