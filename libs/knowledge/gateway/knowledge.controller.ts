import type {
  collectionChangeSchema,
  newCollectionSchema,
  newTranscriptSchema,
  reindexSchema,
  sourceChangeSchema,
} from '../contract/schemas.js';
import {
  changePosition,
  collectionsQuery,
  newNoteSchema,
  sourceEventsQuery,
  sourcesQuery,
} from '../contract/schemas.js';
import type { UploadQuery } from '../contract/endpoints.js';
import type { PageQuery } from '#contracts/api/paging.js';
import type { SearchRequest } from '../contract.js';
import type { PageRequest } from '#db/page.js';
import type { Caller } from '#db/repositories/tenants.js';
import type { KnowledgeCollection } from '../store/collections.js';
import type { AddedSource, ChunkPlace } from '../store/sources.js';
import { Controller, Headers, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CallerWatch } from '#gateway/auth/caller-watch.js';
import { filesOf } from '#gateway/http/multipart.js';
import { byTime, msSchema, readPage, type CursorFormat } from '#gateway/http/page.js';
import { FromCaller, IdFromKey, parseOrReject, Route, ValidBody, ValidQuery } from '#gateway/http/route.js';
import { goneSignal, sendFrames } from '#gateway/runs/event-stream.js';
import { KnowledgeService } from './knowledge.service.js';
import { TranscriptsService } from './transcripts/transcripts.service.js';
import { changeFrames, chunkView, collectionView, sourceView } from './views.js';

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
    private readonly callers: CallerWatch,
  ) {}

  @Route('createCollection')
  async create(
    @FromCaller() { tenantId }: Caller,
    @ValidBody('createCollection') body: z.infer<typeof newCollectionSchema>,
    @IdFromKey('col') id: string | undefined,
  ) {
    const { project: projectId, ...collection } = body;
    return this.view(
      tenantId,
      await this.knowledge.collections.create(tenantId, { id, projectId, ...collection }),
    );
  }

  @Route('listCollections')
  list(
    @FromCaller() { tenantId }: Caller,
    @ValidQuery('listCollections') query: z.infer<typeof collectionsQuery>,
  ) {
    const filter = {
      ...(query.purpose && { purpose: query.purpose }),
      ...(query.project && { projectId: query.project }),
      ...(query.title && { title: query.title }),
    };
    const read = (request: PageRequest) => this.knowledge.collections.page(tenantId, filter, request);
    return readPage(query, byTime, read, (rows) => this.views(tenantId, rows));
  }

  @Route('getCollection')
  async get(@FromCaller() { tenantId }: Caller, @Param('collection_id') id: string) {
    return this.view(tenantId, await this.knowledge.collections.require(tenantId, id));
  }

  @Route('changeCollection')
  async change(
    @FromCaller() { tenantId }: Caller,
    @Param('collection_id') id: string,
    @ValidBody('changeCollection') body: z.infer<typeof collectionChangeSchema>,
  ) {
    return this.view(tenantId, await this.knowledge.collections.change(tenantId, id, body));
  }

  @Route('deleteCollection')
  async remove(@FromCaller() { tenantId }: Caller, @Param('collection_id') id: string) {
    await this.knowledge.removeCollection(tenantId, id);
  }

  @Route('addSources')
  async add(
    @FromCaller() { tenantId }: Caller,
    @Param('collection_id') id: string,
    @ValidQuery('addSources') query: UploadQuery,
    @Req() request: FastifyRequest,
  ) {
    if (request.isMultipart()) {
      const { added, leftOut } = await this.knowledge.addFiles(tenantId, id, filesOf(request), query);
      return { items: added.map(addedView), left_out: leftOut };
    }
    const note = parseOrReject(newNoteSchema, request.body, 'body');
    return { items: [addedView(await this.knowledge.addNote(tenantId, id, note))], left_out: [] };
  }

  @Route('addTranscript')
  async addTranscript(
    @FromCaller() { tenantId }: Caller,
    @Param('collection_id') id: string,
    @ValidBody('addTranscript') body: z.infer<typeof newTranscriptSchema>,
  ) {
    return addedView(await this.transcripts.add(tenantId, id, body));
  }

  @Route('listSources')
  async listSources(
    @FromCaller() { tenantId }: Caller,
    @Param('collection_id') id: string,
    @ValidQuery('listSources') query: z.infer<typeof sourcesQuery>,
  ) {
    await this.knowledge.collections.require(tenantId, id);
    const filter = query.state ? { state: query.state } : {};
    const read = (request: PageRequest) => this.knowledge.sources.page(tenantId, id, filter, request);
    return readPage(query, byTime, read, (rows) => rows.map(sourceView));
  }

  @Route('followSources')
  async follow(
    @FromCaller() caller: Caller,
    @Param('collection_id') id: string,
    @ValidQuery('followSources') { after }: z.infer<typeof sourceEventsQuery>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
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
  async getSource(
    @FromCaller() { tenantId }: Caller,
    @Param('collection_id') id: string,
    @Param('source_id') sourceId: string,
  ) {
    return sourceView(await this.knowledge.sources.require(tenantId, id, sourceId));
  }

  @Route('getSourceText')
  async getSourceText(
    @FromCaller() { tenantId }: Caller,
    @Param('collection_id') id: string,
    @Param('source_id') sourceId: string,
    @Res() reply: FastifyReply,
  ) {
    const text = await this.knowledge.text(tenantId, id, sourceId);
    return reply.type('text/plain; charset=utf-8').send(text);
  }

  @Route('listSourceChunks')
  async listChunks(
    @FromCaller() { tenantId }: Caller,
    @Param('collection_id') id: string,
    @Param('source_id') sourceId: string,
    @ValidQuery('listSourceChunks') query: PageQuery,
  ) {
    await this.knowledge.sources.require(tenantId, id, sourceId);
    const read = (request: PageRequest<ChunkPlace>) =>
      this.knowledge.sources.chunks(tenantId, sourceId, request);
    return readPage(query, byPlace, read, (rows) => rows.map(chunkView));
  }

  @Route('changeSource')
  async changeSource(
    @FromCaller() { tenantId }: Caller,
    @Param('collection_id') id: string,
    @Param('source_id') sourceId: string,
    @ValidBody('changeSource') { language, date, ...details }: z.infer<typeof sourceChangeSchema>,
  ) {
    const change = {
      ...details,
      ...(language !== undefined && { givenLanguage: language }),
      ...(date !== undefined && { published: date }),
    };
    return sourceView(await this.knowledge.sources.change(tenantId, id, sourceId, change));
  }

  @Route('deleteSource')
  async removeSource(
    @FromCaller() { tenantId }: Caller,
    @Param('collection_id') id: string,
    @Param('source_id') sourceId: string,
  ) {
    await this.knowledge.remove(tenantId, id, sourceId);
  }

  @Route('searchKnowledge')
  search(@FromCaller() { tenantId }: Caller, @ValidBody('searchKnowledge') body: SearchRequest) {
    return this.knowledge.search(tenantId, body);
  }

  @Route('reindexKnowledge')
  async reindex(
    @FromCaller() { tenantId }: Caller,
    @ValidBody('reindexKnowledge') { collections, dry_run }: z.infer<typeof reindexSchema>,
  ) {
    return { sources: await this.knowledge.reindex(tenantId, collections, dry_run) };
  }

  private async view(tenantId: string, collection: KnowledgeCollection) {
    return (await this.views(tenantId, [collection]))[0]!;
  }

  private async views(tenantId: string, rows: KnowledgeCollection[]) {
    const { collections } = this.knowledge;
    const ids = rows.map(({ id }) => id);
    const [counts, titles] = await Promise.all([
      collections.counts(tenantId, ids),
      collections.bookTitles(
        tenantId,
        rows.flatMap(({ projectId }) => projectId ?? []),
      ),
    ]);
    return rows.map((row) => collectionView(row, counts.get(row.id), titles));
  }
}
