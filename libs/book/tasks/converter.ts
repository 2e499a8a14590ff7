import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { CommentRepository } from '#db/repositories/comments.js';
import { ProposalRepository } from '#db/repositories/proposals.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { TrackedChanges } from '#kit/conversion/tracked-changes.js';
import { WordTemplates } from '#kit/conversion/word-templates.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { trimSizes } from '#contracts/file-kinds.js';
import { factSchema } from '#contracts/facts.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import type { Database } from '#db/client.js';
import {
  TaskFailure,
  TaskHandler,
  type TaskContext,
  type TaskHandlerOf,
} from '#engine/queue/task-handler.js';
import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import { Publisher } from '#kit/conversion/publisher.js';
import { DATABASE, STORE } from '#kit/runtime/infrastructure.module.js';
import { citedTexts } from '#knowledge/store/cited-texts.js';
import type { ObjectStore } from '#storage/object-store.js';
import {
  assemble,
  bibliographyTitle,
  citationRequest,
  type FrontMatter,
} from '#writing/bibliography/assemble.js';
import { hasBody } from '#writing/paragraphs.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { userConceptSchema, type BookProfile } from '../contract/profile.js';
import { chapterCitationSchema } from '../contract/review.js';
import { BookChapterRepository } from '../store/chapters.js';
import { indexTerms } from './index-terms.js';
import { BookRepository, type BookProject } from '../store/projects.js';

/** B12: writes the current chapters of a book to one file, stored as an export of its session. */
@Injectable()
@TaskHandler('book_export')
class BookExportHandler implements TaskHandlerOf<'book_export'> {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly pool: ConversionPool,
    private readonly publisher: Publisher,
    private readonly books: BookRepository,
    private readonly chapters: BookChapterRepository,
  ) {}

  async handle(input: TaskInput<'book_export'>, context: TaskContext): Promise<TaskOutput<'book_export'>> {
    const { tenantId } = context;
    const {
      project_id,
      format,
      citation_style,
      trim_size: trim = trimSizes[0],
      pdf_standard: standard,
      proposals,
      index,
      list_of_figures: listOfFigures,
    } = input;
    const project = await this.books.find(tenantId, project_id);
    if (!project) throw new TaskFailure('book_gone', phrase('run_error.book_gone'));
    const { profile } = userConceptSchema.parse(project.userConcept);
    const front = frontMatter(project, profile);
    const chapters = await this.written(tenantId, project_id);
    const texts = await citedTexts(this.db, this.store, tenantId, chapters);
    const style = citation_style ?? profile.citation_style;
    const written = style && {
      style,
      citations: await this.pool.run(context, (pool) =>
        pool.cite(citationRequest(texts, style, profile.language), context.signal),
      ),
    };
    const { markdown, copied } = assemble(front, texts, written);
    const published = chapters.map(({ chapter_id, content }, i) => ({
      chapter_id,
      content,
      copied: copied[i]!,
    }));
    const stated = chapters.map(({ facts }, i) => ({ facts, copied: copied[i]! }));
    const book = {
      ...{ trim, backMatter: bibliographyTitle(profile.language) },
      ...(index && { index: indexTerms(stated, markdown, profile.language) }),
    };
    const of = { format, front, markdown, book, texts: published, markdownName: 'book.md' };
    const publication = {
      ...of,
      ...(standard && { standard }),
      ...(proposals && { proposals }),
      ...(listOfFigures !== undefined && { listOfFigures }),
    };
    return this.publisher.publish(publication, context);
  }

  /** Returns the written chapters with their stored citations. */
  private async written(tenantId: string, projectId: string) {
    const rows = await this.chapters.list(tenantId, projectId);
    if (rows.length === 0) throw new TaskFailure('no_outline', phrase('run_error.no_outline'));
    const texts = new Map(
      (await this.chapters.currentVersions(tenantId, projectId)).map((text) => [text.chapterId, text]),
    );
    const written = rows.flatMap(({ id, number, title }) => {
      const text = texts.get(id);
      if (!text || !hasBody(text.content)) return [];
      const citations = z.array(chapterCitationSchema).parse(text.citations);
      const facts = z.array(factSchema).parse(text.facts);
      return { chapter_id: id, title, content: text.content, citations, facts, prefix: `c${number}-` };
    });
    if (written.length === 0) throw new TaskFailure('no_chapters', phrase('run_error.no_chapters'));
    return written;
  }
}

function frontMatter({ title }: BookProject, { subtitle, language, author }: BookProfile): FrontMatter {
  return {
    title,
    ...(subtitle ? { subtitle } : {}),
    ...(language ? { language } : {}),
    ...(author ? { author } : {}),
  };
}

export const converterTasks: WorkerTasks = {
  handlers: [BookExportHandler],
  services: [
    ...provideRepositories(
      BookRepository,
      BookChapterRepository,
      ApiKeyRepository,
      ExportRepository,
      CommentRepository,
      ProposalRepository,
      SessionFileRepository,
    ),
    ConversionPool,
    Publisher,
    TrackedChanges,
    WordTemplates,
  ],
};
