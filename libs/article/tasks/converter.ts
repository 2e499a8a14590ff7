import { withoutHeadingMark } from '#contracts/text.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { CommentRepository } from '#db/repositories/comments.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { ProposalRepository } from '#db/repositories/proposals.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import { Publisher } from '#kit/conversion/publisher.js';
import { TrackedChanges } from '#kit/conversion/tracked-changes.js';
import { WordTemplates } from '#kit/conversion/word-templates.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import type { Database } from '#db/client.js';
import { TaskHandler, type TaskContext, type TaskHandlerOf } from '#engine/queue/task-handler.js';
import { DATABASE, STORE } from '#kit/runtime/infrastructure.module.js';
import { citedTexts } from '#knowledge/store/cited-texts.js';
import type { ObjectStore } from '#storage/object-store.js';
import { assemble, citationRequest } from '#writing/bibliography/assemble.js';
import { languageOf } from '#writing/language.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { Inject, Injectable } from '@nestjs/common';
import { citedPassagesSchema, type CitedPassages } from '../contract/tasks.js';

/** Level of the sections of an article, below its title. */
const SECTION = 2;

/** Writes an article to one file, stored as an export of its session. */
@Injectable()
@TaskHandler('article_export')
class ArticleExportHandler implements TaskHandlerOf<'article_export'> {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly pool: ConversionPool,
    private readonly publisher: Publisher,
  ) {}

  async handle(
    {
      text_key,
      sources_key,
      format,
      citation_style: style,
      pdf_standard: standard,
      proposals,
      author,
    }: TaskInput<'article_export'>,
    context: TaskContext,
  ): Promise<TaskOutput<'article_export'>> {
    const content = await this.read(text_key);
    const language = languageOf(content) ?? 'en';
    const citations = sources_key === null ? [] : await this.passages(sources_key);
    const text = { title: null, content, citations: citedOnly(content, citations), prefix: '' };
    const texts = await citedTexts(this.db, this.store, context.tenantId, [text]);
    const written = style && {
      style,
      citations: await this.pool.run(context, (pool) =>
        pool.cite(citationRequest(texts, style, language), context.signal),
      ),
    };
    const front = { title: titleOf(content), language, ...(author && { author }) };
    const { markdown, copied } = assemble(front, texts, written, SECTION);
    const published = [{ chapter_id: null, content, copied: copied[0]! }];
    const of = { format, front, markdown, book: null, texts: published, markdownName: 'article.md' };
    const publication = { ...of, ...(standard && { standard }), ...(proposals && { proposals }) };
    return this.publisher.publish(publication, context);
  }

  private async passages(key: string): Promise<CitedPassages> {
    return citedPassagesSchema.parse(JSON.parse(await this.read(key)));
  }

  private async read(key: string): Promise<string> {
    return Buffer.from(await this.store.getBytes(key)).toString('utf8');
  }
}

/** Returns the passages that the text cites: the bibliography names no others. */
const citedOnly = (content: string, citations: CitedPassages): CitedPassages =>
  citations.filter(({ label }) => content.includes(`[^${label}]`));

/** Returns the words of the first heading. */
function titleOf(content: string): string {
  const heading = splitParagraphs(content).find(({ kind }) => kind === 'heading');
  return (heading && withoutHeadingMark(heading.text).split('\n')[0]!.trim()) || 'Article';
}

export const converterTasks: WorkerTasks = {
  handlers: [ArticleExportHandler],
  services: [
    ...provideRepositories(
      ApiKeyRepository,
      CommentRepository,
      ExportRepository,
      ProposalRepository,
      SessionFileRepository,
    ),
    ConversionPool,
    Publisher,
    TrackedChanges,
    WordTemplates,
  ],
};
