import {
  corpusIngestSchema,
  type compareSchema,
  type corpusTextsQuery,
  type corpusUploadQuery,
  type fingerprintQuery,
} from '../contract/corpus-schemas.js';
import type { PageRequest } from '#db/page.js';
import type { Caller } from '#db/repositories/tenants.js';
import type { KnowledgeSource } from '#knowledge/store/sources.js';
import { styleTypeOf } from '../style/corpus.js';
import { Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { filesOf } from '#gateway/http/multipart.js';
import { byTime, readPage } from '#gateway/http/page.js';
import { FromCaller, parseOrReject, Route, ValidBody, ValidQuery } from '#gateway/http/route.js';
import { sourceView } from '#knowledge/gateway/views.js';
import { CorpusService } from './corpus.service.js';

function textView(row: KnowledgeSource) {
  const { author, priority, ...view } = sourceView(row);
  return { ...view, source_type: styleTypeOf(priority), author_id: author };
}

@Controller()
export class CorpusController {
  constructor(private readonly corpus: CorpusService) {}

  @Route('ingestCorpus')
  async ingest(
    @FromCaller() { tenantId }: Caller,
    @ValidQuery('ingestCorpus') query: z.infer<typeof corpusUploadQuery>,
    @Req() request: FastifyRequest,
  ) {
    const { added, leftOut } = request.isMultipart()
      ? await this.corpus.addFiles(tenantId, filesOf(request), query)
      : {
          added: await this.corpus.addTexts(
            tenantId,
            parseOrReject(corpusIngestSchema, request.body, 'body'),
          ),
          leftOut: [],
        };
    const items = added.map(({ source, outcome }) => ({ ...textView(source), outcome }));
    return { items, left_out: leftOut };
  }

  @Route('listCorpusTexts')
  list(
    @FromCaller() { tenantId }: Caller,
    @ValidQuery('listCorpusTexts') query: z.infer<typeof corpusTextsQuery>,
  ) {
    const filter = { sourceType: query.source_type, author: query.author_id };
    const read = (request: PageRequest) => this.corpus.page(tenantId, filter, request);
    return readPage(query, byTime, read, (rows) => rows.map(textView));
  }

  @Route('getFingerprint')
  fingerprint(
    @FromCaller() { tenantId }: Caller,
    @ValidQuery('getFingerprint') query: z.infer<typeof fingerprintQuery>,
  ) {
    return this.corpus.fingerprint(tenantId, query);
  }

  @Route('compareWithCorpus')
  compare(
    @FromCaller() { tenantId }: Caller,
    @ValidBody('compareWithCorpus') body: z.infer<typeof compareSchema>,
  ) {
    return this.corpus.compare(tenantId, body);
  }
}
