import type {
  compareSchema,
  corpusIngestSchema,
  corpusUploadQuery,
  fingerprintQuery,
} from '../contract/corpus-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import type { PageRequest } from '#db/page.js';
import { addTexts } from '#knowledge/knowledge.js';
import type { AddedSource, KnowledgeSource } from '#knowledge/store/sources.js';
import {
  hasStyleTexts,
  pageStyleTexts,
  priorityOfStyle,
  readStyleTexts,
  styleCollection,
  styleCollections,
  type StyleFilter,
} from '../style/corpus.js';
import { DATABASE, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { MultipartFile } from '@fastify/multipart';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { KnowledgeService } from '#knowledge/gateway/knowledge.service.js';
import { computeForRequest } from '#gateway/http/compute.js';
import type { StyleTexts } from '#gateway/runs/feature-ports.js';
import { QuotaService } from '#gateway/tenants/quota.service.js';
import type { StyleAnswer, StyleWork } from './style.worker.js';

const WORKER = new URL('./style.worker.js', import.meta.url);
/** Time limit of a fingerprint with the comparison of one text, in milliseconds. */
const LIMIT_MS = 30_000;

/** The style corpus of a tenant (A9): adds texts, and compares other texts with them in threads. */
@Injectable()
export class CorpusService implements StyleTexts {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly knowledge: KnowledgeService,
    private readonly quota: QuotaService,
  ) {}

  exist(tenantId: string, collections?: string[]): Promise<boolean> {
    return hasStyleTexts(this.db, tenantId, collections);
  }

  /** @throws ProblemError `storage_quota_exceeded`, `too_many_collections` */
  async addTexts(
    tenantId: string,
    { source_type, author_id: author, texts }: z.infer<typeof corpusIngestSchema>,
  ): Promise<AddedSource[]> {
    const collection = await styleCollection(this.db, tenantId);
    const sources = texts.map(({ title, text, language }) => ({
      name: title.slice(0, 200),
      title,
      text,
      author: author ?? null,
      priority: priorityOfStyle(source_type),
      givenLanguage: language ?? null,
    }));
    return addTexts(
      { db: this.db, store: this.store },
      tenantId,
      collection,
      sources,
      await this.quota.storageLimit(tenantId),
    );
  }

  /**
   * Adds the files of a request; after an error it adds none. Skips empty files.
   *
   * @throws ProblemError with the codes that the catalogue lists for `ingestCorpus`
   */
  async addFiles(
    tenantId: string,
    parts: AsyncIterable<MultipartFile>,
    { source_type, author_id: author, ...rest }: z.infer<typeof corpusUploadQuery>,
  ): ReturnType<KnowledgeService['addFiles']> {
    const collection = await styleCollection(this.db, tenantId);
    const query = { ...rest, author, priority: priorityOfStyle(source_type) };
    return this.knowledge.addFiles(tenantId, collection, parts, query);
  }

  async page(tenantId: string, filter: StyleFilter, request: PageRequest): Promise<KnowledgeSource[]> {
    return pageStyleTexts(this.db, tenantId, await styleCollections(this.db, tenantId), filter, request);
  }

  /** @throws ProblemError `corpus_empty`; `invalid_request` if it takes too long */
  async fingerprint(tenantId: string, query: z.infer<typeof fingerprintQuery>) {
    return (await this.style(tenantId, query)).corpus;
  }

  /** @throws ProblemError `corpus_empty`; `invalid_request` if it takes too long */
  async compare(tenantId: string, { text, ...query }: z.infer<typeof compareSchema>) {
    const { corpus, report } = await this.style(tenantId, query, text);
    const { language, texts, left_out, words } = corpus;
    return { ...report!, corpus: { language, texts, left_out, words } };
  }

  private async style(
    tenantId: string,
    { source_type: sourceType, author_id: author, language }: z.infer<typeof fingerprintQuery>,
    text?: string,
  ): Promise<StyleAnswer> {
    const collections = await styleCollections(this.db, tenantId);
    const tools = { db: this.db, store: this.store };
    const texts = await readStyleTexts(tools, tenantId, collections, { sourceType, author });
    const work: StyleWork = { texts, language, ...(text === undefined ? {} : { text }) };
    const answer =
      texts.length === 0
        ? null
        : await computeForRequest<StyleAnswer>(WORKER, work, { tenantId, limitMs: LIMIT_MS });
    if (!answer || answer.corpus.texts === 0)
      throw new ProblemError('corpus_empty', phrase('corpus_empty.add_texts'));
    return answer;
  }
}
