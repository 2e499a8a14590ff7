import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { CommentRepository } from '#db/repositories/comments.js';
import { ProposalRepository, trackedBy } from '#db/repositories/proposals.js';
import type { TaskContext } from '#engine/queue/task-handler.js';
import type { OpenProposal } from '#office/review/pending.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { shiftAt, spanOf, type PublishedText } from '#writing/bibliography/published-texts.js';
import { Inject, Injectable } from '@nestjs/common';
import { STORE } from '../runtime/infrastructure.module.js';
import { ConversionPool } from './conversion-pool.js';

/** A Word file with the Markdown that it shows. */
interface ShownText {
  docx: Uint8Array;
  manuscript: string;
  /** The chapters of a book, or an article; null for a document. */
  texts: PublishedText[] | null;
}

/** Writes the open proposals and comments of a session into Word files, with answers to comments (X9). */
@Injectable()
export class TrackedChanges {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly pool: ConversionPool,
    private readonly proposals: ProposalRepository,
    private readonly comments: CommentRepository,
    private readonly keys: ApiKeyRepository,
  ) {}

  /** Returns the file with the proposals and comments; it shows the text without them if all are rejected. */
  async write({ docx, manuscript, texts }: ShownText, context: TaskContext): Promise<Uint8Array> {
    const { tenantId, sessionId, signal } = context;
    const rows = await this.proposals.openOf(tenantId, sessionId, texts);
    const spans = new Map((texts ?? []).map((text) => [text.chapter_id, spanOf(text)]));
    const positionOf = (runId: string, number: number | null) => {
      const position = rows.findIndex((row) => row.runId === runId && row.number === number);
      return position < 0 ? null : position;
    };
    const proposals: OpenProposal[] = rows.map((row) => ({
      ...row,
      kind: row.kind as OpenProposal['kind'],
      ...trackedBy(row),
      ...{ start: row.spanStart, end: row.spanEnd, comment: row.comment ?? row.reason },
      // A change of a selection has its words in Markdown only.
      after: row.context === null ? row.after : null,
      within: row.within === null ? null : (positionOf(row.runId, row.within) ?? -1),
      replyTo: positionOf(row.runId, row.replyTo),
      context: row.context === null ? null : { text: row.context, start: row.contextStart ?? row.spanStart },
      part: spans.get(row.chapterId) ?? null,
    }));
    for (const [replyTo, { kind, answer, decidedBy }] of rows.entries()) {
      if (kind !== 'comment' || answer === null || decidedBy === null) continue;
      const author = (await this.keys.nameOf(tenantId, decidedBy)) ?? '';
      proposals.push({ ...proposals[replyTo]!, replyTo, comment: answer, author, date: null });
    }
    const first = proposals.length;
    const comments = await this.comments.openOf(tenantId, sessionId, texts);
    const positions = new Map(comments.map(({ id }, position) => [id, first + position]));
    for (const { quote, text, author, createdAt, replyTo, chapterId, ...comment } of comments) {
      const shown = texts?.find(({ chapter_id: id }) => id === chapterId);
      // Marks of notes and citations are longer or shorter in a publication.
      const start = comment.start + (shown ? shiftAt(shown, comment.start) : 0);
      proposals.push({
        ...{
          kind: 'comment',
          before: quote,
          after: null,
          text: '',
          lead: null,
          sent: 0,
          within: null,
          base: '',
        },
        ...{ start, end: start + quote.length, at: start, context: { text: quote, start } },
        ...{ comment: text, author, date: createdAt.toISOString(), part: spans.get(chapterId) ?? null },
        replyTo: replyTo === null ? null : (positions.get(replyTo) ?? null),
      });
    }
    const manuscripts = new ManuscriptStore(this.store, tenantId, sessionId);
    const bases: Record<string, string> = {};
    for (const { base } of rows) if (base !== '') bases[base] ??= await manuscripts.read(base);
    return this.pool.run(context, (pool) =>
      pool.track({ docx, manuscript, proposals, texts: bases }, signal),
    );
  }
}
