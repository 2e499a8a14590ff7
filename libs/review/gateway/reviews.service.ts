import { ProblemError } from '#contracts/errors.js';
import { newId } from '#contracts/ids.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { isActive } from '#contracts/runs.js';
import type { PageRequest } from '#db/page.js';
import { type Proposal, type ProposalPosition, ProposalRepository } from '#db/repositories/proposals.js';
import type { Run } from '#db/repositories/runs.js';
import type { Caller } from '#db/repositories/tenants.js';
import { AT_ONCE, RunsService } from '#gateway/runs/runs.service.js';
import { FileIntake, type ArrivingFile } from '#gateway/sessions/file-intake.js';
import { SessionAccess } from '#gateway/tenants/session-access.js';
import { QuotaService } from '#gateway/tenants/quota.service.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import { computeForRequest } from '#gateway/http/compute.js';
import { READ_ONLY } from '#contracts/proposals.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import type { ProposalDecision, ProposalFilter, ProposalView } from '../contract/schemas.js';
import { returnedKey } from '../store/proposals.js';
import { lineAt, lineStarts } from '#contracts/line-starts.js';
import type { ApplyResult, ApplyWork } from './apply.worker.js';
import { type Replacement, ReviewTargets } from './targets.js';

const WORKER = new URL('./apply.worker.js', import.meta.url);
/** Time limit for one manuscript, in milliseconds. */
const LIMIT_MS = 60_000;

/** Word files that came back: starts the runs that read them, and applies people's decisions. */
@Injectable()
export class ReviewsService {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly access: SessionAccess,
    private readonly intake: FileIntake,
    private readonly quota: QuotaService,
    private readonly runs: RunsService,
    private readonly targets: ReviewTargets,
    private readonly proposals: ProposalRepository,
  ) {}

  /** Stores a returned file and starts the run that reads it and deletes the file. @param given ID of the run if the request may be a repeat */
  async start(tenantId: string, sessionId: string, part: ArrivingFile, given?: string) {
    await this.access.require(tenantId, sessionId);
    await this.quota.requireStorage(tenantId, 0);
    if (!(await this.targets.exist(tenantId, sessionId)))
      throw new ProblemError('no_manuscript', phrase('no_manuscript.not_started'));
    const file_id = newId('fil');
    const file = await this.intake.storeAt(returnedKey(tenantId, sessionId, file_id), part);
    if (file.size === 0) throw new ProblemError('empty_upload', phrase('empty_upload.no_file'));
    const inputs = { file_id, name: file.name.slice(0, 300) };
    const run = { session_id: sessionId, kind: 'review', inputs, ...AT_ONCE };
    try {
      await this.quota.requireStorage(tenantId, file.size);
      return await this.runs.start(tenantId, run, given);
    } catch (error) {
      // After another error the run may have been started.
      if (error instanceof ProblemError) await this.store.delete(file.objectKey);
      throw error;
    }
  }

  async page(tenantId: string, runId: string, request: PageRequest<number>): Promise<Proposal[]> {
    await this.require(tenantId, runId);
    return this.proposals.page(tenantId, runId, request);
  }

  /** @throws ProblemError `not_found` */
  async pageOfSession(
    tenantId: string,
    sessionId: string,
    filter: ProposalFilter,
    request: PageRequest<ProposalPosition>,
  ): Promise<Proposal[]> {
    await this.access.require(tenantId, sessionId);
    return this.proposals.pageOfSession(tenantId, sessionId, filter, request);
  }

  /** Adds the places in the manuscripts. */
  async views(tenantId: string, rows: Proposal[]): Promise<ProposalView[]> {
    const texts = new Map<string, { text: string; starts: number[] }>();
    for (const { base, context, sessionId } of rows) {
      if (context !== null || texts.has(base)) continue;
      const text = await this.manuscripts(tenantId, sessionId).read(base);
      texts.set(base, { text, starts: lineStarts(text) });
    }
    return rows.map((row) => {
      const { context, contextStart, spanStart, spanEnd, base, kind } = row;
      if (context !== null) return view(row, 0, { start: contextStart ?? spanStart, text: context });
      const { text, starts } = texts.get(base)!;
      const paragraph = kind === 'outside' ? null : paragraphAround(text, spanStart, spanEnd);
      return view(row, lineAt(starts, spanStart), paragraph);
    });
  }

  /** @throws ProblemError `not_found`; `decision_answered` if the state of an applied proposal would change */
  async decide(caller: Caller, runId: string, decision: ProposalDecision) {
    const { sessionId } = await this.require(caller.tenantId, runId);
    return this.decideOfSession(caller, sessionId, runId, decision);
  }

  /**
   * Decides about proposals of any run of a session, with the errors of `decide`; `decision_answered` also after the end of
   * a run that applies them itself.
   */
  async decideOfSession(
    { tenantId, apiKeyId }: Caller,
    sessionId: string,
    runId: string,
    decision: ProposalDecision,
  ) {
    const run = await this.runs.require(tenantId, runId);
    if (run.sessionId !== sessionId) throw new ProblemError('not_found', phrase('not_found.run'));
    const { numbers, author, state, answer } = decision;
    if (state && run.kind !== 'review' && !isActive(run.status))
      throw new ProblemError('decision_answered', phrase('decision_answered.run_ended'));
    const change = { state, answer, decidedBy: apiKeyId };
    const outcome = await this.proposals.decide(tenantId, runId, { numbers, author }, change);
    if (outcome === 'missing') throw new ProblemError('not_found', phrase('not_found.proposal'));
    if (outcome === 'applied')
      throw new ProblemError('decision_answered', phrase('decision_answered.accepted'));
    const data = { by: apiKeyId, ...decision };
    await this.runs.note(runId, { type: 'proposals_decided', data });
    const { open = 0, accepted = 0, rejected = 0 } = await this.proposals.counts(tenantId, runId);
    return { open, accepted, rejected };
  }

  /**
   * Makes a version of the manuscript with the accepted proposals, except those that would damage it, and starts the run that
   * writes its Word file. A review may be finished again after further decisions.
   *
   * @param given ID of that run if the request may be a repeat
   * @throws ProblemError with the codes that the catalogue lists for `finishReview`
   */
  async finish(tenantId: string, runId: string, given?: string) {
    const { sessionId } = await this.require(tenantId, runId);
    const rows = await this.proposals.all(tenantId, runId);
    const exportedBy = rows.find((row) => row.exportedBy !== null)?.exportedBy ?? null;
    const exporter = exportedBy === null ? null : await this.runs.require(tenantId, exportedBy);
    const accepted = rows.filter(({ state, kind }) => state === 'accepted' && !READ_ONLY.has(kind));
    const numbersOf = (chosen: Proposal[]) => chosen.map(({ number }) => number);
    const changes: (Replacement & { applied: number[]; refused: number[] })[] = [];
    // The chapters of a book are texts of their own, and two of them may be alike.
    for (const { base, chapterId } of new Map(accepted.map((row) => [row.chapterId, row])).values()) {
      const isIn = (row: Proposal) => row.chapterId === chapterId && accepted.includes(row);
      const before = await this.manuscripts(tenantId, sessionId).read(base);
      const { previous, text, refused } = await applyApart(tenantId, {
        manuscript: before,
        proposals: rows.map(applied),
        accepted: rows.map(isIn),
        applied: rows.map((row) => row.appliedAt !== null && row.chapterId === chapterId),
      });
      changes.push({
        target: { tenantId, sessionId, runId, exporter, chapterId },
        expected: [before, previous],
        to: text,
        applied: numbersOf(rows.filter((row, index) => isIn(row) && !refused.includes(index))),
        refused: numbersOf(rows.filter((_, index) => refused.includes(index))),
      });
    }
    await this.targets.requireExpected(changes);
    for (const change of changes) {
      await this.targets.replace(change);
      await this.proposals.apply(tenantId, runId, change.applied, change.refused);
    }
    return this.targets.export({ tenantId, sessionId, exporter }, changes[0]?.to, given);
  }

  private manuscripts = (tenantId: string, sessionId: string) =>
    new ManuscriptStore(this.store, tenantId, sessionId);

  /** @throws ProblemError `not_found` */
  private async require(tenantId: string, runId: string): Promise<Run> {
    const run = await this.runs.require(tenantId, runId);
    if (run.kind !== 'review') throw new ProblemError('not_found', phrase('not_found.run'));
    return run;
  }
}

/** @throws ProblemError `invalid_request` if it takes too much time or memory */
const applyApart = (tenantId: string, work: ApplyWork) =>
  computeForRequest<ApplyResult>(WORKER, work, { tenantId, limitMs: LIMIT_MS, where: 'process' });

const applied = ({ kind, after, spanStart, spanEnd, at, text, lead, sent, within }: Proposal) => ({
  ...{ kind: kind as ProposalView['kind'], after, start: spanStart, end: spanEnd, at, text, lead, sent },
  within: within === null ? null : within - 1,
});

function view(row: Proposal, line: number, paragraph: ProposalView['paragraph']): ProposalView {
  const { number, author, date, before, after, within, move, comment, place, answer } = row;
  return {
    ...{ run_id: row.runId, number, kind: row.kind as ProposalView['kind'] },
    ...{ origin: row.origin as ProposalView['origin'], author, date, before, after },
    ...{ reason: row.reason, evidence: (row.evidence ?? []) as ProposalView['evidence'] },
    span: { start: row.spanStart, end: row.spanEnd },
    chapter_id: row.chapterId,
    line,
    paragraph,
    ...sourceOf(row),
    ...{ within, move, comment, reply_to: row.replyTo, place },
    ...{ state: row.state as ProposalView['state'], applied: row.appliedAt !== null },
    ...{ answer, decided_by: row.decidedBy },
  };
}

/** Characters of the manuscript before and after a span that its view contains at most. */
const AROUND = 2_000;

/** Returns a span with the rest of its paragraphs. */
function paragraphAround(manuscript: string, start: number, end: number) {
  const before = manuscript.slice(Math.max(0, start - AROUND), start);
  const after = manuscript.slice(end, end + AROUND);
  const [blank, rest] = [before.lastIndexOf('\n\n'), after.indexOf('\n\n')];
  const from = start - before.length + (blank < 0 ? 0 : blank + 2);
  const to = end + (rest < 0 ? after.length : rest);
  return { start: from, text: manuscript.slice(from, to) };
}

/** Kinds after which a line no longer has the words of its source. */
const LEAVING = new Set(['insert', 'delete', 'replace']);

/** Returns the line of a source, and whether the change would leave it. Whole paragraphs do not change a line. */
function sourceOf(row: Proposal): Pick<ProposalView, 'source' | 'leaves_source'> {
  const { sourceName: name, sourceLine: line, sourceText: text, kind, lead } = row;
  if (name === null || line === null) return { source: null, leaves_source: false };
  return { source: { name, line, text: text ?? '' }, leaves_source: LEAVING.has(kind) && lead === null };
}
