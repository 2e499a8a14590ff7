import type { bookSourceSchema, newBookSourceSchema } from '../contract/schemas.js';
import { priorityWeights, type SourcePriority, type SourceState } from '#knowledge/contract.js';
import type { PageQuery } from '#contracts/api/paging.js';
import type { Database } from '#db/client.js';
import type { PageRequest } from '#db/page.js';
import { bookCollection } from '../store/projects.js';
import { problemPhraseOf, type KnowledgeSource } from '#knowledge/store/sources.js';
import { DATABASE } from '#kit/runtime/infrastructure.module.js';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { filesOf } from '#gateway/http/multipart.js';
import { byTime, readPage } from '#gateway/http/page.js';
import { Route, type EndpointRequest } from '#gateway/http/route.js';
import { KnowledgeService } from '#knowledge/gateway/knowledge.service.js';
import { BookAccess } from './book-access.js';

type NewNote = z.infer<typeof newBookSourceSchema>;

/** Sources of books: a view of the knowledge of their projects (B14, B21). */
@Controller()
export class BookSourcesController {
  constructor(
    private readonly access: BookAccess,
    private readonly knowledge: KnowledgeService,
    @Inject(DATABASE) private readonly db: Database,
  ) {}

  @Route('listBookSources')
  list({ tenantId, params: { project_id: projectId }, query }: EndpointRequest<'listBookSources'>) {
    return this.page(tenantId, projectId, query);
  }

  @Route('addBookSource')
  addToProject({
    tenantId,
    params: { project_id: projectId },
    body: note,
  }: EndpointRequest<'addBookSource'>) {
    return this.add(tenantId, projectId, note);
  }

  @Route('uploadBookSources')
  async upload({
    tenantId,
    params: { project_id: projectId },
    query,
    raw: request,
  }: EndpointRequest<'uploadBookSources'>) {
    await this.access.project(tenantId, projectId);
    const collection = await bookCollection(this.db, tenantId, projectId, 'knowledge');
    const { added, leftOut } = await this.knowledge.addFiles(tenantId, collection, filesOf(request), query);
    return { items: added.map(({ source }) => sourceView(projectId, source)), left_out: leftOut };
  }

  @Route('listSourcesOfBooks')
  listOfBooks({ tenantId, query: { project_id, ...query } }: EndpointRequest<'listSourcesOfBooks'>) {
    return this.page(tenantId, project_id, query);
  }

  @Route('createBookSource')
  create({ tenantId, body: { project_id, ...note } }: EndpointRequest<'createBookSource'>) {
    return this.add(tenantId, project_id, note);
  }

  @Route('getBookSource')
  async get({ tenantId, params: { book_source_id: id } }: EndpointRequest<'getBookSource'>) {
    const { source, projectId } = await this.knowledge.sources.ofBook(tenantId, id);
    return sourceView(projectId, source);
  }

  @Route('changeBookSource')
  async change({
    tenantId,
    params: { book_source_id: id },
    body: { content, date, reference, ...rest },
  }: EndpointRequest<'changeBookSource'>) {
    const { source, projectId } = await this.knowledge.sources.ofBook(tenantId, id);
    const { collectionId, name } = source;
    if (content !== undefined) await this.knowledge.addNote(tenantId, collectionId, { name, text: content });
    const details = { ...rest, ...(date !== undefined && { published: date }) };
    const changed = await this.knowledge.sources.change(tenantId, collectionId, id, details, reference);
    return sourceView(projectId, changed);
  }

  @Route('deleteBookSource')
  async remove({ tenantId, params: { book_source_id: id } }: EndpointRequest<'deleteBookSource'>) {
    const { source } = await this.knowledge.sources.ofBook(tenantId, id);
    await this.knowledge.remove(tenantId, source.collectionId, id);
  }

  private async page(tenantId: string, projectId: string, query: PageQuery) {
    await this.access.project(tenantId, projectId);
    const collection = await bookCollection(this.db, tenantId, projectId, 'knowledge');
    const read = (request: PageRequest) => this.knowledge.sources.page(tenantId, collection, {}, request);
    return readPage(query, byTime, read, (rows) => rows.map((row) => sourceView(projectId, row)));
  }

  private async add(
    tenantId: string,
    projectId: string,
    { title, content, author, date, priority }: NewNote,
  ) {
    await this.access.project(tenantId, projectId);
    const collection = await bookCollection(this.db, tenantId, projectId, 'knowledge');
    const note = { name: title, title, text: content, author, date, priority };
    return sourceView(projectId, (await this.knowledge.addNote(tenantId, collection, note)).source);
  }
}

function sourceView(projectId: string, row: KnowledgeSource): z.infer<typeof bookSourceSchema> {
  const priority = row.priority as SourcePriority;
  return {
    id: row.id,
    project_id: projectId,
    title: row.title ?? row.name,
    source_type: row.url !== null ? 'web' : row.mediaType.startsWith('text/markdown') ? 'note' : 'file',
    metadata_json: {
      source_priority_label: priority,
      source_priority_weight: priorityWeights[priority],
      author: row.author,
      url: row.url,
      date: row.published,
      fetched_at: row.fetchedAt?.toISOString() ?? null,
      collection_id: row.collectionId,
      state: row.state as SourceState,
      problem: row.problem,
      problem_phrase: problemPhraseOf(row),
      chunks: row.chunks,
    },
    created_at: row.createdAt.toISOString(),
  };
}
