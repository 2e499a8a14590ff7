import { percentDecoded } from '#contracts/lenient.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { chapterCitationSchema } from '../contract/review.js';
import { userConceptSchema } from '../contract/profile.js';
import type { TaskInput, TaskOutput } from '#contracts/tasks.js';
import { BookChapterRepository } from '../store/chapters.js';
import { BookRepository } from '../store/projects.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import {
  TaskFailure,
  TaskHandler,
  type TaskContext,
  type TaskHandlerOf,
} from '#engine/queue/task-handler.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { assembleBook } from '../export/assemble.js';
import { Inject, Injectable } from '@nestjs/common';
import { strToU8, zipSync, type Zippable } from 'fflate';
import { normalize } from 'node:path';
import { hasBody } from '#writing/paragraphs.js';
import { z } from 'zod';
import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import { fileNameFor } from '#kit/conversion/file-name.js';
import { sessionImages } from '#kit/conversion/session-images.js';

const MEDIA_TYPES = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
  epub: 'application/epub+zip',
  md: 'application/zip',
};
/** Fixed date of archive entries, so that equal input produces equal bytes. */
const ARCHIVE_DATE = new Date(1980, 0, 1);

type Format = keyof typeof MEDIA_TYPES;
interface Front {
  title: string;
  subtitle?: string;
  language?: string;
}

/** B12: writes the current chapters of a book to one file, stored as an export of its session. */
@Injectable()
@TaskHandler('book_export')
export class BookExportHandler implements TaskHandlerOf<'book_export'> {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly pool: ConversionPool,
    private readonly books: BookRepository,
    private readonly chapters: BookChapterRepository,
    private readonly exports: ExportRepository,
    private readonly files: SessionFileRepository,
  ) {}

  async handle(
    { project_id, format }: TaskInput<'book_export'>,
    context: TaskContext,
  ): Promise<TaskOutput<'book_export'>> {
    const { tenantId, sessionId, taskId, runId } = context;
    const { front, markdown } = await this.bookText(tenantId, project_id);
    const bytes = await this.bytesOf(format, front, markdown, context);
    const objectKey = sessionKey(tenantId, sessionId, 'exports', `${taskId}.${format}`);
    const { size, sha256 } = await this.store.put(objectKey, Buffer.from(bytes), {
      contentType: MEDIA_TYPES[format],
    });
    const name = `${fileNameFor(front.title)}.${format === 'md' ? 'zip' : format}`;
    const file = { sessionId, runId, effectKey: taskId, name, format, objectKey, size, sha256 };
    return { export_id: await this.exports.add(tenantId, file), name, bytes: size };
  }

  private async bookText(tenantId: string, projectId: string) {
    const project = await this.books.find(tenantId, projectId);
    if (!project) throw new TaskFailure('book_gone', phrase('run_error.book_gone'));
    const { profile } = userConceptSchema.parse(project.userConcept);
    const rows = await this.chapters.list(tenantId, projectId);
    if (rows.length === 0) throw new TaskFailure('no_outline', phrase('run_error.no_outline'));
    const texts = new Map(
      (await this.chapters.currentVersions(tenantId, projectId)).map((text) => [text.chapterId, text]),
    );
    const written = rows.flatMap(({ id, number, title }) => {
      const text = texts.get(id);
      if (!text || !hasBody(text.content)) return [];
      return {
        number,
        title,
        content: text.content,
        citations: z.array(chapterCitationSchema).parse(text.citations),
      };
    });
    if (written.length === 0) throw new TaskFailure('no_chapters', phrase('run_error.no_chapters'));
    const { subtitle, language } = profile;
    const front: Front = {
      title: project.title,
      ...(subtitle ? { subtitle } : {}),
      ...(language ? { language } : {}),
    };
    return { front, markdown: assembleBook(front, written) };
  }

  private async bytesOf(
    format: Format,
    front: Front,
    markdown: string,
    context: TaskContext,
  ): Promise<Uint8Array> {
    const structure = await this.pool.structure(markdown, context);
    const { images } = await sessionImages(this.files, this.store, context, structure);
    const resolve = (ref: string) => Promise.resolve(images.get(ref) ?? null);
    if (format === 'md') return archive(markdown, images);
    if (format === 'epub') return this.pool.publish({ format, structure, options: front }, resolve, context);
    const options = { ...front, toc: true, cover: true, chaptersOnNewPages: true };
    if (format === 'pdf') return this.pool.publish({ format, structure, options }, resolve, context);
    const { docx } = await this.pool.docx(structure, resolve, options, context);
    return docx;
  }
}

/**
 * Packs Markdown with its images at the referenced paths. Skips images with paths that leave the archive.
 */
function archive(markdown: string, images: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const files: Zippable = { 'book.md': strToU8(markdown) };
  for (const [ref, bytes] of images) {
    const path = normalize(percentDecoded(ref)).replaceAll('\\', '/');
    if (!/^(?:\.\.(?:\/|$)|\/|[a-z]:)/i.test(path) && path !== 'book.md') files[path] = bytes;
  }
  return zipSync(files, { mtime: ARCHIVE_DATE, level: 6 });
}
