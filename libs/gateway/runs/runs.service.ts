import { timeLimit } from '#contracts/wait.js';
import type { z } from 'zod';
import type { endpoints } from '#catalogue/endpoints.js';
import type { newRunSchema } from '#catalogue/run-schemas.js';
import { workSchema } from '#contracts/api/schemas.js';
import { ProblemError, type NeedsModel } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { decisionOptionsOf } from '#contracts/decision-request.js';
import { findRunKind, kindOf } from '#catalogue/registry.js';
import { DEFAULT_WAIT_SECONDS } from '#contracts/run-kind.js';
import { isCarriedName, isSourceName } from '#contracts/file-kinds.js';
import { finalRunStatuses, type RunStatus } from '#contracts/runs.js';
import type { GatewaySettings } from '#config/settings.js';
import { defaultBudget } from '#contracts/budgets.js';
import type { Database } from '#db/client.js';
import type { PageRequest } from '#db/page.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { markAudited } from '#db/repositories/audit.js';
import { DecisionRepository } from '#db/repositories/decisions.js';
import { RunRepository, type Run } from '#db/repositories/runs.js';
import { isParked } from '#db/shown-status.js';
import { WordTemplateRepository } from '#db/repositories/word-templates.js';
import { SessionRepository, type Session } from '#db/repositories/sessions.js';
import { WorkRepository } from '#db/repositories/work.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { EventFeed } from '#engine/events/event-feed.js';
import { NotificationListener } from '#engine/events/listener.js';
import { cancelRun } from '#engine/runs/cancel.js';
import type { Engine } from '#engine/engine.js';
import type { NewRunEvent } from '#catalogue/events.js';
import { appendEvent, EVENTS_CHANNEL } from '#engine/runs/event-log.js';
import { startRun, type NewRun } from '#engine/runs/start.js';
import { ModelEndpoints } from '#kit/model/model-endpoints.js';
import { DATABASE, ENGINE, SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import { byTime, readPage } from '../http/page.js';
import { view } from '../http/view.js';
import { SessionAccess } from '../tenants/session-access.js';
import { QuotaService } from '../tenants/quota.service.js';
import { DocumentChanges, ProjectSessions, StyleTexts } from './feature-ports.js';
import { newRunView, runView, type RunView, shownTitle } from './views.js';
import type { Caller } from '#db/repositories/tenants.js';
import type { FastifyReply } from 'fastify';
import { CallerWatch } from '../auth/caller-watch.js';
import { goneSignal } from './event-stream.js';

type RunsQuery = z.infer<typeof endpoints.listRuns.query>;
type WorkQuery = z.infer<typeof endpoints.listWork.query>;

/** Request for a run that does not wait for another one of its session, with the default budget. */
export const AT_ONCE = { on_conflict: 'reject' as const, budget: {}, priority: 0 };

/** Starts, reads, follows and cancels runs. */
@Injectable()
export class RunsService {
  private readonly feed: EventFeed;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(ENGINE) private readonly engine: Engine,
    listener: NotificationListener,
    private readonly access: SessionAccess,
    private readonly projects: ProjectSessions,
    private readonly styles: StyleTexts,
    private readonly changes: DocumentChanges,
    private readonly quota: QuotaService,
    private readonly models: ModelEndpoints,
    private readonly runs: RunRepository,
    private readonly sessions: SessionRepository,
    private readonly decisions: DecisionRepository,
    private readonly files: SessionFileRepository,
    private readonly keys: ApiKeyRepository,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    private readonly wordTemplates: WordTemplateRepository,
    private readonly works: WorkRepository,
  ) {
    this.feed = new EventFeed(db, listener, EVENTS_CHANNEL);
  }

  /**
   * Starts a run in the session or project that the request names.
   *
   * @param id of the run if the request may be a repeat; a repeat starts no second run
   * @returns the run as it was written; a repeat gets it as it is now
   */
  async start(tenantId: string, request: z.infer<typeof newRunSchema>, id?: string): Promise<RunView> {
    if (id !== undefined && (await this.runs.has(tenantId, id))) {
      markAudited('startRun');
      return this.read(tenantId, id);
    }
    const session = await this.sessionOf(tenantId, request);
    const run = await this.newRun(tenantId, session.id, request);
    const started = await startRun(this.engine, id === undefined ? run : { ...run, id });
    const { createdAt } = started;
    return createdAt
      ? newRunView(run, session.title, { id: started.id, createdAt })
      : this.read(tenantId, started.id);
  }

  /**
   * Starts a run in a session that the caller has checked, or that is created with the run.
   *
   * @returns the run's ID
   */
  async startIn(
    tenantId: string,
    sessionId: string,
    request: z.infer<typeof newRunSchema>,
    made: Pick<NewRun, 'newSession'> = {},
  ): Promise<string> {
    const run = await this.newRun(tenantId, sessionId, request);
    return (await startRun(this.engine, { ...run, ...made })).id;
  }

  /** Checks that a run may be started; returns its values. */
  private async newRun(
    tenantId: string,
    sessionId: string,
    request: z.infer<typeof newRunSchema>,
  ): Promise<NewRun> {
    const kind = findRunKind(kindOf(request))!;
    const mode = request.mode ?? kind.modes[0] ?? null;
    const sourceBytes = kind.needsFiles ? await this.requireFiles(tenantId, sessionId) : 0;
    if (kind.replacesText?.(request.inputs) && (await this.changes.exist(tenantId, sessionId)))
      throw new ProblemError('changes_would_be_lost', phrase('changes_would_be_lost.document'));
    const style = kind.needsStyle?.(mode, request.inputs);
    if (style && !(await this.styles.exist(tenantId, style.collections)))
      throw new ProblemError('no_corpus', style.advice);
    const { version, needsModel } = this.engine.kinds.get(kind.kind)!;
    await this.requireModel(tenantId, needsModel?.(mode, request.inputs) ?? null);
    await this.requireAssignable(tenantId, decisionOptionsOf(request.inputs).assignee);
    await this.requireWordTemplate(tenantId, request.inputs['word_template']);
    if (request.inputs['without_model'] !== true)
      await this.quota.requireModelBudget(tenantId, request.budget);
    return {
      tenantId,
      sessionId,
      kind: kind.kind,
      mode,
      inputs: request.inputs,
      graphVersion: version,
      onConflict: request.on_conflict,
      budget: request.budget,
      defaultMaxTokens: defaultBudget(this.settings.DEFAULT_RUN_TOKENS, sourceBytes),
      priority: request.priority,
    };
  }

  /** Returns the session in which a run would work. @throws ProblemError `not_found` */
  async sessionOf(
    tenantId: string,
    { session_id: sessionId = '', project_id: projectId }: z.infer<typeof newRunSchema>,
  ): Promise<Session> {
    const id = projectId === undefined ? sessionId : await this.projects.sessionOf(tenantId, projectId);
    return this.access.require(tenantId, id);
  }

  /** @returns the size of the inputs that are sources, in bytes */
  private async requireFiles(tenantId: string, sessionId: string): Promise<number> {
    const inputs = await this.files.list(tenantId, sessionId, 'inputs');
    if (inputs.length === 0) throw new ProblemError('no_inputs', phrase('no_inputs.upload'));
    if (!inputs.some(({ name }) => isCarriedName(name)))
      throw new ProblemError('no_inputs', phrase('no_inputs.no_usable'));
    return inputs.filter(({ name }) => isSourceName(name)).reduce((sum, { size }) => sum + size, 0);
  }

  /** @throws ProblemError `needs_model` for inputs that need a model, if there is none */
  private async requireModel(tenantId: string, needed: NeedsModel | null): Promise<void> {
    if (needed && (await this.models.describe(tenantId)) === null) throw ProblemError.needsModel(needed);
  }

  /** Rejects an assignee without an active key, because the question would only wait for its deadline. */
  private async requireAssignable(tenantId: string, assignee: string | undefined): Promise<void> {
    if (assignee === undefined || (await this.keys.hasActive(tenantId, assignee))) return;
    const errors = [{ path: 'inputs.decisions.assignee', message: 'no active API key has this id or name' }];
    throw new ProblemError('invalid_request', phrase('invalid_request.assignee'), errors);
  }

  /** Rejects the name of a template that the tenant lacks, before anything is written. */
  private async requireWordTemplate(tenantId: string, name: unknown): Promise<void> {
    if (typeof name !== 'string' || (await this.wordTemplates.findByName(tenantId, name))) return;
    const errors = [{ path: 'inputs.word_template', message: 'no Word template has this name' }];
    throw new ProblemError('invalid_request', phrase('invalid_request.no_word_template', { name }), errors);
  }

  /**
   * Waits until the run ends or, unless it is `end` that matters, waits for a person; at most as long as its kind
   * allows (B5).
   */
  async settled(
    tenantId: string,
    { id: runId, kind, mode }: RunView,
    signal: AbortSignal,
    until: 'end' | 'question' = 'question',
  ): Promise<RunView> {
    const seconds = findRunKind(kind)?.waitSeconds?.(mode) ?? DEFAULT_WAIT_SECONDS;
    for await (const { type } of this.follow(runId, 0, timeLimit(seconds * 1_000, signal))) {
      if (type !== 'hitl_pause' || until === 'end') continue;
      if ((await this.read(tenantId, runId)).open_decisions.length > 0) break;
    }
    return this.read(tenantId, runId);
  }

  async require(tenantId: string, runId: string): Promise<Run> {
    const run = await this.runs.find(tenantId, runId);
    if (!run) throw noRun();
    return run;
  }

  async read(tenantId: string, runId: string): Promise<RunView> {
    const [view] = await this.views(tenantId, [await this.require(tenantId, runId)]);
    return view!;
  }

  /** Returns a page of runs, newest first. @throws ProblemError `invalid_request` */
  list(tenantId: string, { session_id, status, kind, mode, title, ...query }: RunsQuery) {
    const selection = { sessionId: session_id, status, kind, mode, title };
    const read = (request: PageRequest) => this.runs.page(tenantId, selection, request);
    return readPage(query, byTime, read, (rows) => this.views(tenantId, rows));
  }

  /**
   * Returns the latest run of each session that a client started, by session ID.
   *
   * @param kind only runs of this kind
   */
  async latestOf(tenantId: string, sessionIds: string[], kind?: string): Promise<Map<string, RunView>> {
    const runs = await this.views(tenantId, await this.runs.latestOf(tenantId, sessionIds, kind));
    return new Map(runs.map((run) => [run.session_id, run]));
  }

  /** Returns a page of works with their newest runs, of the newest change first. @throws ProblemError `invalid_request` */
  listWork(tenantId: string, { kind, title, manuscript, ...query }: WorkQuery) {
    const facts = [...this.engine.kinds.values()].map((known) => ({
      ...known.continuation,
      kind: known.kind,
    }));
    const aside = facts.filter(({ isAside }) => isAside).map((known) => known.kind);
    const asideModes = facts.flatMap((known) => known.asideModes ?? []);
    const read = (request: PageRequest) =>
      this.works.page(tenantId, { kind, title, manuscript, aside, asideModes }, request);
    return readPage(query, byTime, read, async (works) => {
      const ids = works.flatMap(({ runId }) => runId ?? []);
      const runs = await this.views(tenantId, await this.runs.findAll(tenantId, ids));
      return works.map((work) => {
        const run = runs.find(({ id }) => id === work.runId) ?? null;
        const shown = { title: work.title ?? run?.title ?? null, kind: run?.kind ?? 'book' };
        return view(workSchema, work, {
          ...shown,
          changed_at: work.createdAt.toISOString(),
          latest_run: run,
        });
      });
    });
  }

  private async views(tenantId: string, runs: Run[]): Promise<RunView[]> {
    const parked = runs.filter(isParked).map(({ id }) => id);
    const [titles, open, usage] = await Promise.all([
      this.sessions.titles(
        tenantId,
        runs.map(({ sessionId }) => sessionId),
      ),
      parked.length > 0 ? this.decisions.openIds(tenantId, parked) : [],
      this.runs.usage(
        tenantId,
        runs.map(({ id }) => id),
      ),
    ]);
    // Until its first step, a document is named for a file.
    const untitled = runs.filter(
      ({ kind, sessionId, summary }) =>
        kind === 'document' && shownTitle(titles.get(sessionId) ?? null, summary) === null,
    );
    const files = await this.sessions.firstFiles(
      tenantId,
      untitled.map(({ sessionId }) => sessionId),
    );
    const titleOf = (run: Run) =>
      titles.get(run.sessionId) ?? (untitled.includes(run) ? files.get(run.sessionId) : undefined) ?? null;
    const openOf = (run: Run) => open.filter(({ runId }) => runId === run.id).map(({ id }) => id);
    return runs.map((run) => runView(run, titleOf(run), openOf(run), usage.get(run.id)!));
  }

  async cancel(tenantId: string, runId: string): Promise<RunView> {
    const run = await this.require(tenantId, runId);
    const ended =
      finalRunStatuses.includes(run.status as RunStatus) || !(await cancelRun(this.engine, runId));
    if (ended) throw new ProblemError('run_finished', phrase('run_finished.nothing_to_cancel'));
    return this.read(tenantId, runId);
  }

  /** @throws ProblemError `not_found` */
  async requireId(tenantId: string, runId: string): Promise<void> {
    if (!(await this.runs.has(tenantId, runId))) throw noRun();
  }

  follow(runId: string, after: number, signal: AbortSignal, isPastEnd = false) {
    return this.feed.follow(runId, after, signal, isPastEnd);
  }

  /** Adds an event of people to a run's log, also after its end. */
  note(runId: string, event: NewRunEvent): Promise<void> {
    return appendEvent(this.engine, runId, event);
  }
}

const noRun = () => new ProblemError('not_found', phrase('not_found.run'));

/** Answers requests that wait for their run (B5). */
@Injectable()
export class SettledRuns {
  constructor(
    private readonly runs: RunsService,
    private readonly callers: CallerWatch,
  ) {}

  /**
   * Returns the run as it is when it ends or waits for a person, or when the client disconnects.
   *
   * @param sync value of the request's parameter; without 1, the run is returned at once
   * @param until `end` for runs whose questions nobody needs to answer
   * @throws ProblemError `unauthorized` if the key ends during the wait
   */
  async answer(
    sync: '0' | '1',
    caller: Caller,
    started: RunView,
    reply: FastifyReply,
    until: 'end' | 'question' = 'question',
  ): Promise<RunView> {
    if (sync === '0') return started;
    const watched = this.callers.watch(caller);
    try {
      const ending = AbortSignal.any([goneSignal(reply), watched.signal]);
      const run = await this.runs.settled(caller.tenantId, started, ending, until);
      if (watched.signal.aborted) throw new ProblemError('unauthorized', phrase('unauthorized.stream'));
      return run;
    } finally {
      watched.stop();
    }
  }
}
