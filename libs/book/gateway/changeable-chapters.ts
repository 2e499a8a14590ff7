import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { ChangeableChapter, ChangeableChapters } from '#gateway/runs/feature-ports.js';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { chapterCitationSchema } from '../contract/review.js';
import { keptParagraphs, type NewVersion } from '../store/chapters.js';
import { BookAccess, noChapter } from './book-access.js';
import { deriveText } from './chapter-texts.js';

/** Chapters as texts of which a selected part can be changed. */
@Injectable()
export class BookChangeableChapters implements ChangeableChapters {
  constructor(private readonly access: BookAccess) {}

  async read(tenantId: string, chapterId: string): Promise<ChangeableChapter> {
    const chapter = await this.access.chapter(tenantId, chapterId);
    const version = await this.access.chapters.version(tenantId, chapterId, chapter.version);
    if (!version) throw new ProblemError('chapter_empty', phrase('chapter_empty.no_text'));
    return {
      sessionId: await this.access.sessionOf(tenantId, chapter.projectId),
      title: chapter.title,
      content: version.content,
      passages: z.array(chapterCitationSchema).parse(version.citations),
    };
  }

  async replace(
    tenantId: string,
    chapterId: string,
    { from, to, runId }: { from: string; to: string; runId: string },
  ): Promise<void> {
    const read = await this.access.chapter(tenantId, chapterId);
    const version = await this.access.chapters.version(tenantId, chapterId, read.version);
    if (version?.content !== from) throw changed();
    const before = { content: from, kept: keptParagraphs(version) ?? [] };
    const derived = await deriveText(tenantId, to, before);
    const saved = await this.access.chapters.change(tenantId, chapterId, (before) => {
      if (before.version !== read.version) throw changed();
      return {
        version: {
          origin: 'decisions',
          originRun: runId,
          effectKey: `change/${runId}/${chapterId}/${before.version}`,
          ...derived,
          citations: version.citations as NewVersion['citations'],
        },
      };
    });
    if (!saved) noChapter();
  }
}

const changed = () => new ProblemError('changed_meanwhile', phrase('changed_meanwhile.chapter'));
