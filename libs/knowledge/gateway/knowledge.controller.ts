import { changePosition, newNoteSchema } from '../contract/schemas.js';
import type { PageRequest } from '#db/page.js';
import type { KnowledgeCollection } from '../store/collections.js';
import type { AddedSource, ChunkPlace } from '../store/sources.js';
import { Controller, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CallerWatch } from '#gateway/auth/caller-watch.js';
import { filesOf } from '#gateway/http/multipart.js';
import { byTime, msSchema, readPage, type CursorFormat } from '#gateway/http/page.js';
import { IdFromKey, parseOrReject, Route, type EndpointRequest } from '#gateway/http/route.js';
import { goneSignal, sendFrames } from '#gateway/runs/event-stream.js';
import { KnowledgeService } from './knowledge.service.js';
import { ReferencesService } from './references.service.js';
import { TranscriptsService } from './transcripts/transcripts.service.js';
import { changeFrames, chunkView, sourceView } from './views.js';

/** Cursors of a source's passages. */
const byPlace: CursorFormat<ChunkPlace, ChunkPlace> = {
  write: ({ startAt }) => [startAt],
  schema: z.tuple([msSchema.max(2 ** 31 - 1)]).transform(([startAt]) => ({ startAt })),
};

const addedView = ({ source, outcome }: AddedSource) => ({ ...sourceView(source), outcome });

@Controller()
export class KnowledgeController {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly transcripts: TranscriptsService,
    private readonly references: ReferencesService,
    private readonly callers: CallerWatch,
  ) {}

  @Route('createCollection')
  async create(
    { tenantId, body }: EndpointRequest<'createCollection'>,
    @IdFromKey('col') id: string | undefined,
  ) {
    const { project: projectId, ...collection } = body;
    return this.view(
      tenantId,
      await this.knowledge.collections.create(tenantId, { id, projectId, ...collection }),
    );
  }

  @Route('listCollections')
  list({ tenantId, query }: EndpointRequest<'listCollections'>) {
    return this.knowledge.listCollections(tenantId, query);
  }

  @Route('getCollection')
  async get({ tenantId, params: { collection_id: id } }: EndpointRequest<'getCollection'>) {
    return this.view(tenantId, await this.knowledge.collections.require(tenantId, id));
  }

  @Route('changeCollection')
  async change({ tenantId, params: { collection_id: id }, body }: EndpointRequest<'changeCollection'>) {
    return this.view(tenantId, await this.knowledge.collections.change(tenantId, id, body));
  }

  @Route('deleteCollection')
  async remove({ tenantId, params: { collection_id: id } }: EndpointRequest<'deleteCollection'>) {
    await this.knowledge.removeCollection(tenantId, id);
  }

  @Route('addSources')
  async add({ tenantId, params: { collection_id: id }, query, raw: request }: EndpointRequest<'addSources'>) {
    if (request.isMultipart()) {
      const { added, leftOut } = await this.knowledge.addFiles(tenantId, id, filesOf(request), query);
      return { items: added.map(addedView), left_out: leftOut };
    }
    const note = parseOrReject(newNoteSchema, request.body, 'body');
    return { items: [addedView(await this.knowledge.addNote(tenantId, id, note))], left_out: [] };
  }

  @Route('addTranscript')
  async addTranscript({ tenantId, params: { collection_id: id }, body }: EndpointRequest<'addTranscript'>) {
    return addedView(await this.transcripts.add(tenantId, id, body));
  }

  @Route('listSources')
  async listSources({ tenantId, params: { collection_id: id }, query }: EndpointRequest<'listSources'>) {
    await this.knowledge.collections.require(tenantId, id);
    const filter = query.state ? { state: query.state } : {};
    const read = (request: PageRequest) => this.knowledge.sources.page(tenantId, id, filter, request);
    return readPage(query, byTime, read, (rows) => rows.map(sourceView));
  }

  @Route('followSources')
  async follow(
    {
      caller,
      params: { collection_id: id },
      query: { after },
      raw: request,
    }: EndpointRequest<'followSources'>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    const position = changePosition.safeParse(lastEventId).data ?? after;
    const since = position === undefined ? null : new Date(position);
    const watched = this.callers.watch(caller);
    try {
      const until = AbortSignal.any([goneSignal(reply), watched.signal]);
      const changes = await this.knowledge.follow(caller.tenantId, id, since, until);
      await sendFrames(request.url, reply, changeFrames(id, changes), watched.signal);
    } finally {
      watched.stop();
    }
  }

  @Route('getSource')
  async getSource({
    tenantId,
    params: { collection_id: id, source_id: sourceId },
  }: EndpointRequest<'getSource'>) {
    return sourceView(await this.knowledge.sources.require(tenantId, id, sourceId));
  }

  @Route('getSourceText')
  async getSourceText(
    { tenantId, params: { collection_id: id, source_id: sourceId } }: EndpointRequest<'getSourceText'>,
    @Res() reply: FastifyReply,
  ) {
    const text = await this.knowledge.text(tenantId, id, sourceId);
    return reply.type('text/plain; charset=utf-8').send(text);
  }

  @Route('listSourceChunks')
  async listChunks({
    tenantId,
    params: { collection_id: id, source_id: sourceId },
    query,
  }: EndpointRequest<'listSourceChunks'>) {
    await this.knowledge.sources.require(tenantId, id, sourceId);
    const read = (request: PageRequest<ChunkPlace>) =>
      this.knowledge.sources.chunks(tenantId, sourceId, request);
    return readPage(query, byPlace, read, (rows) => rows.map(chunkView));
  }

  @Route('changeSource')
  async changeSource({
    tenantId,
    params: { collection_id: id, source_id: sourceId },
    body: { language, date, reference, ...details },
  }: EndpointRequest<'changeSource'>) {
    const change = {
      ...details,
      ...(language !== undefined && { givenLanguage: language }),
      ...(date !== undefined && { published: date }),
    };
    return sourceView(await this.knowledge.sources.change(tenantId, id, sourceId, change, reference));
  }

  @Route('importReferences')
  importReferences({ tenantId, params: { collection_id: id }, body }: EndpointRequest<'importReferences'>) {
    return this.references.import(tenantId, id, body);
  }

  @Route('deleteSource')
  async removeSource({
    tenantId,
    params: { collection_id: id, source_id: sourceId },
  }: EndpointRequest<'deleteSource'>) {
    await this.knowledge.remove(tenantId, id, sourceId);
  }

  @Route('searchKnowledge')
  search({ tenantId, body }: EndpointRequest<'searchKnowledge'>) {
    return this.knowledge.search(tenantId, body);
  }

  @Route('reindexKnowledge')
  async reindex({ tenantId, body: { collections, dry_run } }: EndpointRequest<'reindexKnowledge'>) {
    return { sources: await this.knowledge.reindex(tenantId, collections, dry_run) };
  }

  private async view(tenantId: string, collection: KnowledgeCollection) {
    return (await this.knowledge.collectionViews(tenantId, [collection]))[0]!;
  }
}
