import type { GatewaySettings } from '#config/settings.js';
import type { collectionsQuery, newNoteSchema } from '../contract/schemas.js';
import type { LeftOutFile } from '#contracts/api/schemas.js';
import type { UploadQuery } from '../contract/endpoints.js';
import { newId } from '#contracts/ids.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { SearchRequest, SearchResult } from '../contract.js';
import type { Database } from '#db/client.js';
import type { PageRequest } from '#db/page.js';
import { NotificationListener } from '#engine/events/listener.js';
import { isSourceName } from '#contracts/file-kinds.js';
import { contentKey } from '../ingest/keys.js';
import { addText } from '../knowledge.js';
import { search } from '../search/search.js';
import { CollectionRepository, type KnowledgeCollection } from '../store/collections.js';
import { SourceRepository, type AddedSource, type NewSource } from '../store/sources.js';
import { embeddingModels, EmbeddingUsage } from '../vectors/embedding-models.js';
import { VectorSearch } from '../vectors/vector-search.js';
import { DATABASE, SETTINGS, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { MultipartFile } from '@fastify/multipart';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { byTime, readPage } from '#gateway/http/page.js';
import { FileIntake, readEncodings } from '#gateway/sessions/file-intake.js';
import { QuotaService } from '#gateway/tenants/quota.service.js';
import { SourceFeed, type SourceChange } from './source-feed.js';
import { collectionView } from './views.js';

type CollectionsQuery = z.output<typeof collectionsQuery>;

/** Maximum number of files per request. */
const MAX_FILES = 200;

/** Knowledge of tenants: adds and searches sources. Workers index them. */
@Injectable()
export class KnowledgeService implements OnModuleDestroy {
  private readonly feed: SourceFeed;
  readonly semantic: VectorSearch;

  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(SETTINGS) settings: GatewaySettings,
    private readonly intake: FileIntake,
    private readonly quota: QuotaService,
    listener: NotificationListener,
    readonly collections: CollectionRepository,
    readonly sources: SourceRepository,
  ) {
    this.feed = new SourceFeed(db, listener);
    const models = embeddingModels(db, settings);
    const cacheBytes = settings.VECTOR_CACHE_MB * 2 ** 20;
    this.semantic = new VectorSearch(db, models, new EmbeddingUsage(db), cacheBytes);
  }

  async onModuleDestroy(): Promise<void> {
    await this.semantic.close();
  }

  search(tenantId: string, request: SearchRequest): Promise<SearchResult> {
    return search(this.db, tenantId, request, this.semantic);
  }

  /** Returns a page of the collections, newest first. */
  listCollections(tenantId: string, { purpose, project, title, ...query }: CollectionsQuery) {
    const filter = {
      ...(purpose && { purpose }),
      ...(project && { projectId: project }),
      ...(title && { title }),
    };
    const read = (request: PageRequest) => this.collections.page(tenantId, filter, request);
    return readPage(query, byTime, read, (rows) => this.collectionViews(tenantId, rows));
  }

  /** Returns the API views of collections. */
  async collectionViews(tenantId: string, rows: KnowledgeCollection[]) {
    const ids = rows.map(({ id }) => id);
    const projects = rows.flatMap(({ projectId }) => projectId ?? []);
    const [counts, titles] = await Promise.all([
      this.collections.counts(tenantId, ids),
      this.collections.bookTitles(tenantId, projects),
    ]);
    return rows.map((row) => collectionView(row, counts.get(row.id), titles));
  }

  /** @throws ProblemError `not_found`, `storage_quota_exceeded` */
  async addNote(
    tenantId: string,
    collectionId: string,
    { language, date, ...note }: z.infer<typeof newNoteSchema>,
  ): Promise<AddedSource> {
    const limit = await this.quota.storageLimit(tenantId);
    const tools = { db: this.db, store: this.store };
    const details = { ...note, givenLanguage: language, published: date };
    return addText(tools, tenantId, collectionId, details, limit);
  }

  /**
   * Adds the files of a request; after an error it adds none. Skips empty files.
   *
   * @throws ProblemError with the codes that the catalogue lists for `addSources`
   */
  async addFiles(
    tenantId: string,
    collectionId: string,
    parts: AsyncIterable<MultipartFile>,
    { author, date, priority, language, encoding }: UploadQuery,
  ): Promise<{ added: AddedSource[]; leftOut: LeftOutFile[] }> {
    await this.collections.require(tenantId, collectionId);
    await this.quota.requireStorage(tenantId, 0);
    const storedSources: NewSource[] = [];
    const leftOut: LeftOutFile[] = [];
    let added: AddedSource[];
    try {
      for await (const part of parts) {
        requireReadable(part.filename ?? '');
        const options = { encodings: readEncodings(encoding) };
        const { name, objectKey, size, sha256, mediaType } = await this.intake.storeAt(
          contentKey(tenantId, collectionId),
          part,
          options,
        );
        const file = { name, objectKey, size, sha256, mediaType };
        if (size === 0) leftOut.push({ name, reason: 'empty' });
        else
          storedSources.push({
            id: newId('src'),
            ...file,
            author,
            published: date,
            priority,
            givenLanguage: language,
          });
        if (storedSources.length + leftOut.length > MAX_FILES)
          throw new ProblemError(
            'invalid_request',
            phrase('invalid_request.files_per_request', { max: MAX_FILES }),
          );
      }
      if (storedSources.length + leftOut.length === 0)
        throw new ProblemError('empty_upload', phrase('empty_upload.no_file'));
      added = await this.sources.add(
        tenantId,
        collectionId,
        storedSources,
        await this.quota.storageLimit(tenantId),
      );
    } catch (error) {
      await this.intake.drop(await this.sources.unnamed(tenantId, storedSources));
      throw error;
    }
    await this.intake.drop(storedSources.filter((_, index) => added[index]!.outcome === 'unchanged'));
    return { added, leftOut };
  }

  /**
   * Follows the changes of a collection's sources, like `SourceFeed.follow`.
   *
   * @throws ProblemError `not_found`
   */
  async follow(
    tenantId: string,
    collectionId: string,
    since: Date | null,
    until: AbortSignal,
  ): Promise<AsyncIterable<SourceChange>> {
    await this.collections.require(tenantId, collectionId);
    return this.feed.follow(tenantId, collectionId, since, until);
  }

  /** @throws ProblemError `not_found`, also before the source has a text */
  async text(tenantId: string, collectionId: string, sourceId: string): Promise<Readable> {
    const { textKey } = await this.sources.require(tenantId, collectionId, sourceId);
    if (textKey === null) throw new ProblemError('not_found', phrase('not_found.not_indexed'));
    return this.store.get(textKey);
  }

  async remove(tenantId: string, collectionId: string, sourceId: string): Promise<void> {
    await this.sources.remove(this.store, tenantId, collectionId, sourceId);
  }

  async removeCollection(tenantId: string, collectionId: string): Promise<void> {
    await this.collections.remove(this.store, tenantId, collectionId);
  }

  /**
   * @returns how many sources are queued, or in a dry run would be queued, for re-indexing.
   *
   * @throws ProblemError `not_found`
   */
  async reindex(tenantId: string, collectionIds: string[] | undefined, isDryRun: boolean): Promise<number> {
    for (const id of collectionIds ?? []) await this.collections.require(tenantId, id);
    if (isDryRun) return this.sources.countIndexed(tenantId, collectionIds);
    return this.sources.reindex(tenantId, collectionIds);
  }
}

function requireReadable(name: string): void {
  if (!isSourceName(name))
    throw new ProblemError('source_unreadable', phrase('source_unreadable.unknown_type', { name }));
}
