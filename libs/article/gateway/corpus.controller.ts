import { corpusIngestSchema } from '../contract/corpus-schemas.js';
import type { PageRequest } from '#db/page.js';
import type { KnowledgeSource } from '#knowledge/store/sources.js';
import { styleTypeOf } from '../style/corpus.js';
import { Controller } from '@nestjs/common';
import { filesOf } from '#gateway/http/multipart.js';
import { byTime, readPage } from '#gateway/http/page.js';
import { parseOrReject, Route, type EndpointRequest } from '#gateway/http/route.js';
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
  async ingest({ tenantId, query, raw: request }: EndpointRequest<'ingestCorpus'>) {
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
  list({ tenantId, query }: EndpointRequest<'listCorpusTexts'>) {
    const filter = { sourceType: query.source_type, author: query.author_id };
    const read = (request: PageRequest) => this.corpus.page(tenantId, filter, request);
    return readPage(query, byTime, read, (rows) => rows.map(textView));
  }

  @Route('getFingerprint')
  fingerprint({ tenantId, query }: EndpointRequest<'getFingerprint'>) {
    return this.corpus.fingerprint(tenantId, query);
  }

  @Route('compareWithCorpus')
  compare({ tenantId, body }: EndpointRequest<'compareWithCorpus'>) {
    return this.corpus.compare(tenantId, body);
  }
}
