import type { ExportFormat, PdfStandard } from '#contracts/file-kinds.js';
import { sha256 as digestOf } from '#contracts/sha256.js';
import { oneLine } from '#contracts/text.js';
import { percentDecoded } from '#contracts/lenient.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import type { TaskContext } from '#engine/queue/task-handler.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { BookLook } from '#office/docx/write/options.js';
import { publishedTextsKey, sessionKey } from '#storage/session-keys.js';
import type { PublishedText, PublishedTexts } from '#writing/bibliography/published-texts.js';
import { Inject, Injectable } from '@nestjs/common';
import { strToU8, zipSync, type Zippable } from 'fflate';
import { normalize } from 'node:path';
import { STORE } from '../runtime/infrastructure.module.js';
import { ConversionPool } from './conversion-pool.js';
import { sessionImages } from './session-images.js';
import { TrackedChanges } from './tracked-changes.js';
import { WordTemplates } from './word-templates.js';

const MEDIA_TYPES: Record<ExportFormat, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
  epub: 'application/epub+zip',
  md: 'application/zip',
};
/** Fixed date of archive entries, so that equal input produces equal bytes. */
const ARCHIVE_DATE = new Date(1980, 0, 1);

/** A text to publish. */
export interface Publication {
  format: ExportFormat;
  markdown: string;
  front: { title: string; subtitle?: string; language?: string; author?: string };
  /** Typography of a book with title page and table of contents; null for a short text. */
  book: BookLook | null;
  /** Name of the Markdown file in an archive. */
  markdownName: string;
  /** Whether lists of figures and tables follow the contents; by default if many have captions. */
  listOfFigures?: boolean;
  /** Standard that a PDF keeps. */
  standard?: PdfStandard;
  /** Whether open proposals are written into a Word file. */
  proposals?: 'tracked';
  /** The chapters of a book, or an article. */
  texts: PublishedText[];
}

/** Writes texts to files, stored as exports of their session. */
@Injectable()
export class Publisher {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly pool: ConversionPool,
    private readonly exports: ExportRepository,
    private readonly files: SessionFileRepository,
    private readonly templates: WordTemplates,
    private readonly tracked: TrackedChanges,
  ) {}

  /** @throws TaskFailure as the methods of `ConversionPool` */
  async publish(publication: Publication, context: TaskContext) {
    const { format, front } = publication;
    const { tenantId, sessionId, taskId, runId } = context;
    const bytes = await this.bytesOf(publication, context);
    const objectKey = sessionKey(tenantId, sessionId, 'exports', `${taskId}.${format}`);
    const { size, sha256 } = await this.store.put(objectKey, Buffer.from(bytes), {
      contentType: MEDIA_TYPES[format],
    });
    const name = `${fileNameFor(front.title)}.${format === 'md' ? 'zip' : format}`;
    const of = { sessionId, runId, effectKey: taskId, name, format, objectKey, size, sha256 };
    const file =
      format === 'docx'
        ? {
            ...of,
            textKey: await this.keepTexts(publication, context),
            manuscript: digestOf(publication.markdown),
          }
        : of;
    return { export_id: await this.exports.add(tenantId, file), name, bytes: size };
  }

  /** Stores the texts, so that changes made in the Word file can be read back (X9). @returns their key */
  private async keepTexts({ markdown, texts }: Publication, { tenantId, sessionId }: TaskContext) {
    const key = publishedTextsKey(tenantId, sessionId, digestOf(markdown));
    const publication: PublishedTexts = { markdown, texts };
    await this.store.put(key, Buffer.from(JSON.stringify(publication)), { contentType: 'application/json' });
    return key;
  }

  private async bytesOf(
    { format, markdown, front, book, markdownName, standard, proposals, listOfFigures, texts }: Publication,
    context: TaskContext,
  ): Promise<Uint8Array> {
    const structure = await this.pool.run(context, (pool) => pool.structure(markdown, context.signal));
    const { images } = await sessionImages(this.files, this.store, context, structure);
    const resolve = (ref: string) => Promise.resolve(images.get(ref) ?? null);
    if (format === 'md') return archive(markdownName, markdown, images);
    if (format === 'epub')
      return this.pool.run(context, (pool) =>
        pool.publish(
          { format, structure, options: { ...front, ...(book && { book }) } },
          resolve,
          context.signal,
        ),
      );
    const isBook = book !== null;
    const options = {
      ...front,
      toc: isBook,
      cover: isBook,
      chaptersOnNewPages: isBook,
      ...(book && { book }),
      ...(listOfFigures !== undefined && { listOfFigures }),
    };
    if (format === 'pdf')
      return this.pool.run(context, (pool) =>
        pool.publish(
          { format, structure, options: { ...options, ...(standard && { standard }) } },
          resolve,
          context.signal,
        ),
      );
    const template = await this.templates.optionOf(context);
    const { docx } = await this.pool.run(context, (pool) =>
      pool.convert({ structure }, resolve, {
        ...{ ...options, ...template, signal: context.signal },
        manuscript: digestOf(markdown),
        ...(proposals && { proposals }),
      }),
    );
    return proposals ? this.tracked.write({ docx, manuscript: markdown, texts }, context) : docx;
  }
}

/**
 * Packs Markdown with its images at the referenced paths. Skips images with paths that leave the archive.
 */
function archive(name: string, markdown: string, images: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const files: Zippable = { [name]: strToU8(markdown) };
  for (const [ref, bytes] of images) {
    const path = normalize(percentDecoded(ref)).replaceAll('\\', '/');
    if (!/^(?:\.\.(?:\/|$)|\/|[a-z]:)/i.test(path) && path !== name) files[path] = bytes;
  }
  return zipSync(files, { mtime: ARCHIVE_DATE, level: 6 });
}

/** Derives a file name from a title in any script. */
export function fileNameFor(title: string): string {
  const name = oneLine(title.normalize('NFC').replace(/[^\p{L}\p{N}._ -]+/gu, ' '));
  return name.slice(0, 80) || 'document';
}
