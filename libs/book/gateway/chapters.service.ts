import type {
  bookChapterChangesSchema,
  newBookChapterSchema,
  paragraphDecisionsSchema,
} from '../contract/schemas.js';
import type { PageQuery } from '#contracts/api/paging.js';
import type { FindingChanges } from '#contracts/findings.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { chapterOutlineSchema } from '../contract/outline.js';
import { MAX_CHAPTERS } from '../contract/profile.js';
import { chapterCitationSchema } from '../contract/review.js';
import type { PageRequest } from '#db/page.js';
import type { Caller } from '#db/repositories/tenants.js';
import {
  copyOf,
  keptParagraphs,
  type BookChapter,
  type BookChapterVersion,
  type ChapterChanges,
  type NewVersion,
} from '../store/chapters.js';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { readPage, type CursorFormat } from '#gateway/http/page.js';
import { BookAccess, noChapter, noProject, requireMatch } from './book-access.js';
import { compareTexts, decideText, deriveText } from './chapter-texts.js';
import type { DerivedText, KeptText } from './chapter-texts.worker.js';
import { chapterTextView, chapterView, revisionTag, versionView } from './views.js';

/** Cursors of lists that are sorted by the `number` of their rows. */
const byOwnNumber: CursorFormat<{ number: number }, number> = {
  write: ({ number }) => [number],
  schema: z.tuple([z.number().int().min(0).max(2_000_000_000)]).transform(([number]) => number),
};

/** Chapters and the versions of their texts (B20, B21, X8). */
@Injectable()
export class BookChaptersService {
  constructor(private readonly access: BookAccess) {}

  async list(tenantId: string, projectId: string, query: PageQuery) {
    await this.access.project(tenantId, projectId);
    const read = (request: PageRequest<number>) => this.access.chapters.page(tenantId, projectId, request);
    const write = async (rows: BookChapter[]) => {
      const ids = rows.map(({ id }) => id);
      const scores = await this.access.chapters.scores(tenantId, ids);
      return rows.map((row) => chapterView(row, scores.get(row.id) ?? null));
    };
    return readPage(query, byOwnNumber, read, write);
  }

  async create(
    tenantId: string,
    projectId: string,
    { content, outline, ...fields }: z.infer<typeof newBookChapterSchema>,
    id = newId('cha'),
  ) {
    const version =
      content === undefined
        ? {}
        : { version: byPerson(`create/${id}`, await deriveText(tenantId, content, null), null) };
    const chapter = { ...fields, ...version, outline: outline ?? chapterOutlineSchema.parse({}) };
    const row = await this.access.chapters.create(tenantId, projectId, id, chapter);
    if (row === false)
      throw new ProblemError('too_many_chapters', phrase('too_many_chapters.max', { max: MAX_CHAPTERS }));
    return this.view(tenantId, row ?? noProject());
  }

  async read(tenantId: string, id: string) {
    return this.view(tenantId, await this.access.chapter(tenantId, id));
  }

  /** @throws ProblemError `precondition_required`, `changed_meanwhile`, `chapter_empty` */
  async change(
    tenantId: string,
    id: string,
    { content, released_paragraphs: released, ...fields }: z.infer<typeof bookChapterChangesSchema>,
    ifMatch: string | undefined,
  ) {
    const current = await this.read(tenantId, id);
    if (content !== undefined && ifMatch === undefined)
      throw new ProblemError('precondition_required', phrase('precondition_required.chapter'));
    const previous = await this.access.chapters.version(tenantId, id, current.version);
    const text =
      content === undefined || content === previous?.content
        ? null
        : await deriveText(tenantId, content, previous && keptText(previous));
    const row = await this.access.chapters.change(tenantId, id, (before) => {
      requireMatch(ifMatch, revisionTag(before));
      if (fields.status !== undefined && before.version === 0 && content === undefined)
        throw new ProblemError('chapter_empty', phrase('chapter_empty.set_state'));
      const changes: ChapterChanges = { ...fields, ...(released ? { released } : {}) };
      return text
        ? { ...changes, version: byPerson(`edit/${id}/${before.revision}`, text, previous) }
        : changes;
    });
    return this.view(tenantId, row ?? noChapter());
  }

  async remove(tenantId: string, id: string): Promise<void> {
    if (!(await this.access.chapters.remove(tenantId, id))) noChapter();
  }

  async versions(tenantId: string, id: string, query: PageQuery) {
    await this.access.chapter(tenantId, id);
    const read = (request: PageRequest<number>) => this.access.chapters.versions(tenantId, id, request);
    return readPage(query, byOwnNumber, read, (rows) => rows.map(versionView));
  }

  async version(tenantId: string, id: string, number: string) {
    const asked = /^[1-9]\d{0,8}$/.test(number) ? Number(number) : 0;
    const version = await this.requireVersion(tenantId, id, asked);
    return { ...versionView(version), content: version.content };
  }

  /** Makes an older version the newest again, with its facts, citations, review and summary. */
  async restore(tenantId: string, id: string, number: number) {
    const version = await this.requireVersion(tenantId, id, number);
    const { summary } = await deriveText(tenantId, version.content, keptText(version));
    const row = await this.access.chapters.change(tenantId, id, (before) => ({
      version: {
        ...copyOf(version),
        summary,
        origin: 'restore',
        effectKey: `restore/${id}/${before.revision}`,
      },
    }));
    return this.view(tenantId, row ?? noChapter());
  }

  async changes(tenantId: string, id: string, { from, to }: { from?: number; to?: number }) {
    const [base, revised] = await this.pair(tenantId, id, from, to);
    const changes = await compareTexts(tenantId, base.content, revised.content);
    return { from: base.number, to: revised.number, changes };
  }

  /**
   * Applies the accepted changes of a revision. Rejected changes leave the text of the base version
   * byte-identical (X8).
   */
  async decide(
    tenantId: string,
    id: string,
    { from, to, decisions }: z.infer<typeof paragraphDecisionsSchema>,
  ) {
    const [base, revised] = await this.pair(tenantId, id, from, to);
    const kept = [...(keptParagraphs(base) ?? []), ...(keptParagraphs(revised) ?? [])];
    const text = await decideText(tenantId, {
      base: base.content,
      revised: revised.content,
      decisions,
      kept,
    });
    if ('unknown' in text)
      throw new ProblemError(
        'invalid_request',
        phrase('invalid_request.unknown_changes'),
        text.unknown.map((change) => ({
          path: 'decisions',
          message: `change ${change} does not exist`,
        })),
      );
    const row = await this.access.chapters.change(tenantId, id, (before) => {
      if (before.version !== to)
        throw new ProblemError('changed_meanwhile', phrase('changed_meanwhile.newer_version'));
      return {
        version: {
          ...decidedFrom(base, revised, text.content),
          ...text,
          origin: 'decisions',
          effectKey: `decide/${id}/${before.revision}`,
          decisions,
        },
      };
    });
    return this.view(tenantId, row ?? noChapter());
  }

  /**
   * Lets the author say that a finding of the newest text is wrong, or take that back.
   *
   * @throws ProblemError `not_found`, `changed_meanwhile`
   */
  async changeFinding(
    { tenantId, apiKeyId }: Caller,
    id: string,
    findingId: string,
    changes: FindingChanges,
    ifMatch: string | undefined,
  ) {
    await this.access.chapter(tenantId, id);
    const row = await this.access.chapters.changeFinding(
      tenantId,
      id,
      findingId,
      changes,
      apiKeyId,
      (before) => requireMatch(ifMatch, revisionTag(before)),
    );
    if (!row) throw new ProblemError('not_found', phrase('not_found.finding'));
    return this.view(tenantId, row);
  }

  private async view(tenantId: string, chapter: BookChapter) {
    const version = await this.access.chapters.version(tenantId, chapter.id, chapter.version);
    return chapterTextView(chapter, version);
  }

  private async pair(tenantId: string, id: string, from?: number, to?: number) {
    const { version } = await this.access.chapter(tenantId, id);
    const newer = to ?? version;
    return Promise.all([
      this.requireVersion(tenantId, id, from ?? newer - 1),
      this.requireVersion(tenantId, id, newer),
    ]);
  }

  private async requireVersion(tenantId: string, id: string, number: number): Promise<BookChapterVersion> {
    const version = await this.access.chapters.version(tenantId, id, number);
    if (!version) throw new ProblemError('not_found', phrase('not_found.chapter_version'));
    return version;
  }
}

/** Returns the version of a text that a person wrote. It may still cite the notes of the previous version. */
function byPerson(effectKey: string, text: DerivedText, before: BookChapterVersion | null): NewVersion {
  const citations = (before?.citations ?? []) as NewVersion['citations'];
  return { origin: 'person', effectKey, ...text, citations };
}

/**
 * Returns the citations of a decided text, and its review if it equals one of the two versions. A mixture of both is
 * nobody's reviewed text, like one that a person wrote, so that it has no score.
 */
function decidedFrom(base: BookChapterVersion, revised: BookChapterVersion, content: string) {
  const same = [base, revised].find((version) => version.content === content);
  if (same) return copyOf(same);
  const [cited, added] = [base, revised].map(({ citations }) =>
    z.array(chapterCitationSchema).parse(citations),
  );
  const labels = new Set(cited!.map(({ label }) => label));
  const citations = [...cited!, ...added!.filter(({ label }) => !labels.has(label))];
  return { citations: citations.filter(({ label }) => content.includes(`[^${label}]`)) };
}

const keptText = (version: BookChapterVersion): KeptText => ({
  content: version.content,
  kept: keptParagraphs(version) ?? [],
});
