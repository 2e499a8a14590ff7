import { phrase } from '#contracts/phrases/phrase.js';
import { detailOf, type Message } from '#contracts/phrases/detail.js';
import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import { type Export, ExportRepository, type MadeOfText } from '#db/repositories/exports.js';
import {
  type TaskContext,
  TaskFailure,
  TaskHandler,
  type TaskHandlerOf,
} from '#engine/queue/task-handler.js';
import { derivedId } from '#contracts/ids.js';
import { CommentRepository } from '#db/repositories/comments.js';
import { RunRepository } from '#db/repositories/runs.js';
import type { Engine } from '#engine/engine.js';
import { appendEvent } from '#engine/runs/event-log.js';
import { ENGINE, STORE } from '#kit/runtime/infrastructure.module.js';
import { takeTexts } from '#verbatim/schema.js';
import { SourceTexts } from '#kit/runtime/source-texts.js';
import { ledgerSchema } from '#verbatim/ledger.js';
import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { runDespiteKills } from '#kit/runtime/work-pool.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import { publishedTextsKey } from '#storage/session-keys.js';
import { publishedTextsSchema, type PublishedText } from '#writing/bibliography/published-texts.js';
import { sha256 } from '#contracts/sha256.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import { ProposalRepository, trackedBy } from '#db/repositories/proposals.js';
import type { DecidedChange } from '#office/review/decided.js';
import { proposalRows, returnedKey } from '../store/proposals.js';
import type { DescribedFile, PlacedProposal, ReadReview, ReviewWork } from './review.worker.js';

const WORKER = new URL('./review.worker.js', import.meta.url);
/** Limit of the computing time for one file, in milliseconds. */
const LIMIT_MS = 120_000;

/** X9: reads what people changed in a returned Word file, and stores it as proposals. */
@Injectable()
@TaskHandler('read_review')
export class ReadReviewHandler implements TaskHandlerOf<'read_review'> {
  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly processes: ParsingProcesses,
    private readonly exports: ExportRepository,
    private readonly proposals: ProposalRepository,
    private readonly comments: CommentRepository,
    private readonly runs: RunRepository,
  ) {}

  async handle(
    { file_id: fileId }: TaskInput<'read_review'>,
    context: TaskContext,
  ): Promise<TaskOutput<'read_review'>> {
    const { tenantId, sessionId, runId } = context;
    const { open = 0 } = await this.proposals.counts(tenantId, runId);
    // An earlier attempt has stored them and deleted the file.
    if (open > 0) return { proposals: open };
    const key = returnedKey(tenantId, sessionId, fileId);
    try {
      const read = await this.read(await this.store.getBytes(key), context);
      // First what was sent: a repeated attempt finds it in the file, until the proposals of this review are stored.
      await this.decide(read.decided, read.published, context);
      const proposals = await this.withoutReplies(read.proposals, context);
      await this.proposals.add(proposalRows({ tenantId, sessionId, runId, ...read.of }, proposals));
      await this.store.delete(key);
      return { proposals: proposals.length };
    } catch (error) {
      if (error instanceof TaskFailure) await this.store.delete(key);
      throw error;
    }
  }

  private async read(returned: Uint8Array, context: TaskContext) {
    const described = await this.run<DescribedFile>({ op: 'describe', returned }, context);
    const published = await this.publishedTexts(described, context);
    const made = published ? [] : await this.exports.madeOf(context.tenantId, context.sessionId);
    const found = published ?? (await this.findSent(described, made, context));
    if (!found) throw new TaskFailure('not_returned', phrase('run_error.not_returned'));
    const { sent, pointer, manuscript } = found;
    const carried = await this.carriedSources(context, made, pointer);
    const work = { sent, returned, manuscript, savedBy: described.savedBy, carried };
    const texts = published?.texts ?? null;
    const { proposals, decided } = await this.run<ReadReview>({ op: 'read', ...work, texts }, context);
    const { exportedBy = null } = published ?? {};
    const of = { base: pointer, exportedBy, texts: await this.keepTexts(proposals, texts ?? [], context) };
    return { of, proposals, decided, published: texts };
  }

  /** Decides about proposals that were sent as tracked changes as a person decided in Word. */
  private async decide(
    decided: readonly DecidedChange[],
    texts: readonly PublishedText[] | null,
    { tenantId, sessionId, runId, taskId }: TaskContext,
  ) {
    if (decided.length === 0) return;
    const done = new Map<string, { run: string; state: DecidedChange['state']; numbers: number[] }>();
    const rows = await this.proposals.openOf(tenantId, sessionId, texts);
    for (const { state, ...change } of decided) {
      const index = rows.findIndex((row) => {
        const { author, date } = trackedBy(row);
        const after = row.context === null ? row.after : change.after;
        return (
          author === change.author &&
          date === change.date &&
          row.before === change.before &&
          after === change.after
        );
      });
      const [row] = index < 0 ? [] : rows.splice(index, 1);
      if (!row) continue;
      const { runId: run, number } = row;
      const outcome = await this.proposals.decide(tenantId, run, { numbers: [number] }, { state });
      if (outcome !== 'decided') continue;
      const same = done.get(`${run} ${state}`) ?? { run, state, numbers: [] };
      done.set(`${run} ${state}`, { ...same, numbers: [...same.numbers, number] });
    }
    const by = done.size > 0 ? await this.returnedBy(tenantId, runId) : '';
    for (const { run, ...decision } of done.values()) {
      const effectKey = `${taskId}/${decision.state}/${decision.numbers[0]}`;
      await appendEvent(this.engine, run, {
        type: 'proposals_decided',
        data: { by, ...decision },
        effectKey,
      });
    }
  }

  /** Returns the ID of the key that sent the file back. */
  private async returnedBy(tenantId: string, runId: string): Promise<string> {
    return (await this.runs.find(tenantId, runId))?.apiKeyId ?? '';
  }

  /** Adds replies to comments that were sent with the file to their threads. @returns the other proposals */
  private async withoutReplies(
    proposals: readonly PlacedProposal[],
    { tenantId, sessionId, runId }: TaskContext,
  ): Promise<PlacedProposal[]> {
    const others: PlacedProposal[] = [];
    let apiKeyId: string | undefined;
    for (const { repliesTo, ...proposal } of proposals) {
      const first = repliesTo ? await this.comments.findSent(tenantId, sessionId, repliesTo) : null;
      if (first === null) {
        others.push(proposal);
        continue;
      }
      const { author, date, comment } = proposal;
      apiKeyId ??= await this.returnedBy(tenantId, runId);
      await this.comments.add({
        // The same reply may return again.
        id: derivedId('cmt', JSON.stringify([first.id, author, date, comment])),
        ...{ tenantId, sessionId, of: first.of, chapterId: first.chapterId },
        ...{ quote: first.quote, start: first.start, replyTo: first.replyTo ?? first.id },
        ...{ text: comment ?? '', author: author ?? '' },
        apiKeyId,
      });
    }
    return others;
  }

  /** Finds the chapters or the article that a file shows; null if it shows a document. */
  private async publishedTexts({ manuscript: digest, options }: DescribedFile, context: TaskContext) {
    const { tenantId, sessionId } = context;
    const key = publishedTextsKey(tenantId, sessionId, digest ?? '');
    const files = await this.exports.ofTexts(tenantId, sessionId, key);
    const file = (await this.withOptions(files, options, context)) ?? files[0];
    if (file === undefined) return null;
    const json = Buffer.from(await this.store.getBytes(key)).toString('utf8');
    const { markdown: manuscript, texts } = publishedTextsSchema.parse(JSON.parse(json));
    const { pointer } = await new ManuscriptStore(this.store, tenantId, sessionId).replace(manuscript);
    const sent = await this.store.getBytes(file.objectKey);
    return { sent, pointer, manuscript, texts, exportedBy: file.runId };
  }

  /** Returns the first of several Word files that was made with the same options. */
  private async withOptions(files: readonly Export[], options: string | null, context: TaskContext) {
    for (const file of files.length > 1 ? files : []) {
      const returned = await this.store.getBytes(file.objectKey);
      const made = await this.run<DescribedFile>({ op: 'describe', returned }, context);
      if (made.options === options) return file;
    }
    return null;
  }

  /** Stores the texts that changes are proposed in. @returns their versions and chapters by number */
  private async keepTexts(
    proposals: readonly PlacedProposal[],
    texts: readonly PublishedText[],
    { tenantId, sessionId }: TaskContext,
  ) {
    const manuscripts = new ManuscriptStore(this.store, tenantId, sessionId);
    const kept = new Map<number, { base: string; chapterId: string | null }>();
    for (const index of new Set(proposals.flatMap(({ textIndex }) => textIndex ?? []))) {
      const { content, chapter_id: chapterId } = texts[index]!;
      kept.set(index, { base: (await manuscripts.replace(content)).pointer, chapterId });
    }
    return kept;
  }

  /** Finds the file that was sent: the newest with the same manuscript and, if there is one, the same options. */
  private async findSent(
    { manuscript, options }: DescribedFile,
    made: readonly MadeOfText[],
    context: TaskContext,
  ) {
    const { tenantId, sessionId } = context;
    if (manuscript === null) return null;
    const manuscripts = new ManuscriptStore(this.store, tenantId, sessionId);
    let fallback: { sent: Uint8Array; pointer: string; manuscript: string } | null = null;
    for (const { manuscript: pointer, exportId } of made.toReversed()) {
      const file = exportId === null ? null : await this.exports.find(tenantId, sessionId, exportId);
      const text = file && (await manuscripts.read(pointer));
      if (file === null || text === null || sha256(text) !== manuscript) continue;
      const sent = await this.store.getBytes(file.objectKey);
      const found = { sent, pointer, manuscript: text };
      if ((await this.run<DescribedFile>({ op: 'describe', returned: sent }, context)).options === options)
        return found;
      fallback ??= found;
    }
    return fallback;
  }

  /** Reads the ledger of the manuscript and the texts of its sources. */
  private async carriedSources(
    { tenantId, sessionId }: TaskContext,
    made: readonly MadeOfText[],
    pointer: string,
  ) {
    const key = made.findLast((each) => each.manuscript === pointer && each.ledger !== null)?.ledger;
    if (!key) return null;
    const ledger = ledgerSchema.parse(
      JSON.parse(Buffer.from(await this.store.getBytes(key)).toString('utf8')),
    );
    const names = ledger.files.map(({ name }) => name);
    const texts = new SourceTexts(this.engine.db, this.store);
    return { ledger, sources: takeTexts(await texts.read(tenantId, sessionId, names)) };
  }

  private async run<T extends object>(work: ReviewWork, { tenantId, signal }: TaskContext): Promise<T> {
    const pool = this.processes.for(WORKER, tenantId);
    const result = await runDespiteKills<T | { problem: Message }>(pool, work, LIMIT_MS, signal);
    if ('problem' in result) throw new TaskFailure('source_unreadable', detailOf(result.problem));
    return result;
  }
}
