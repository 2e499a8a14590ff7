import type { AgentRunnerSettings } from '#config/settings.js';
import type { NewRunEvent } from '#contracts/events.js';
import { documentRunInputsSchema } from '#contracts/runs.js';
import type { Database } from '#db/client.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { isSourceName } from '#extraction/file-kinds.js';
import { buildDocumentGraph, DOCUMENT_GRAPH_VERSION } from '#kinds/document/graph.js';
import type { DocumentSettings } from '#kinds/document/ports.js';
import { loadSystemPrompt } from '#kinds/document/prompt/system-prompt.js';
import { buildInitialState, type DocumentState } from '#kinds/document/state.js';
import {
  RunFailure,
  type AnyGraph,
  type GraphDefinition,
  type GraphState,
  type HeldRun,
  type RunOutcome,
} from '#run-engine/engine.js';
import type { EventBuffer } from '#run-engine/event-buffer.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { processMetrics } from '#telemetry/metrics.js';
import { boundedOutline } from './bounded-outline.js';
import { MeteredModel, type PricedModel } from './metered-model.js';
import { SessionCheckpoints } from './session-checkpoints.js';
import { SessionInputs } from './session-inputs.js';
import { manuscriptPort } from './session-manuscripts.js';

/** Runs of kind `document`: raw files → verbatim manuscript → DOCX (D1–D34). */
export class DocumentDefinition implements GraphDefinition {
  readonly version = DOCUMENT_GRAPH_VERSION;
  private readonly prompt = loadSystemPrompt();

  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly model: PricedModel,
    private readonly settings: AgentRunnerSettings,
  ) {}

  async build(run: HeldRun, events: EventBuffer, _signal: AbortSignal): Promise<AnyGraph> {
    const { db, store } = this;
    const manuscripts = new ManuscriptStore(store, run.tenantId, run.sessionId);
    const inputs = new SessionInputs(db, store, run.tenantId, run.sessionId, this.settings.READ_PAGE_BYTES);
    const { label } = this.model.chat;
    const bounds = await new ModelUsageRepository(db).begin(run.tenantId, run.id, label, this.prompt.version);
    return buildDocumentGraph({
      inputs,
      manuscripts: manuscriptPort(manuscripts),
      checkpoints: new SessionCheckpoints(db, store, manuscripts, run, this.settings.CHECKPOINTS_KEPT),
      model: new MeteredModel(this.model, db, run, events, bounds),
      emit: nodeTimer(events),
      settings: await this.settingsOf(run, inputs),
    }) as unknown as AnyGraph;
  }

  async initialState(run: HeldRun): Promise<GraphState> {
    const files = await new SessionFileRepository(this.db).list(run.tenantId, run.sessionId, 'inputs');
    if (files.length === 0)
      throw new RunFailure('no_inputs', 'The session has no input files. Upload some and start a new run.');
    const names = files.map(({ name }) => name);
    return buildInitialState(run.sessionId, names, names.filter(isSourceName)) as unknown as GraphState;
  }

  summary(graphState: GraphState): Record<string, unknown> {
    const state = graphState as unknown as DocumentState;
    return {
      status: state.status,
      // After the last chapter the state counts one on; a client wants the number of chapters.
      current_chapter: state.status === 'completed' ? state.current_chapter - 1 : state.current_chapter,
      current_file_index: state.current_file_index,
      input_files: state.input_files,
      document_outline: boundedOutline(state.document_outline),
      temp_md_path: state.temp_md_path,
      ledger_path: state.ledger_path,
      coverage: state.coverage,
      last_checkpoint_id: state.last_checkpoint_id,
      export_id: state.export_id,
      validation_issues: state.validation_issues.slice(0, 50),
      fix_attempts: state.fix_attempts,
      conversion_attempts: state.conversion_attempts,
      last_error: state.last_error,
      error_type: state.error_type,
    };
  }

  outcome(graphState: GraphState): RunOutcome {
    const state = graphState as unknown as DocumentState;
    const summary = this.summary(graphState);
    const result = { coverage: state.coverage, export_id: state.export_id };
    if (state.status === 'completed') return { status: 'completed', summary, result };
    const message = state.last_error ?? 'The run ended without a result.';
    return { status: 'failed', error: { code: state.error_type ?? 'run_failed', message }, summary, result };
  }

  /** The session's own title is what its document is called, unless the run says otherwise. */
  private async sessionTitle({ tenantId, sessionId }: HeldRun): Promise<string | null> {
    const session = await this.db.session.findFirst({
      where: { id: sessionId, tenantId },
      select: { title: true },
    });
    return session?.title ?? null;
  }

  private async settingsOf(run: HeldRun, inputs: SessionInputs): Promise<DocumentSettings> {
    const wishes = documentRunInputsSchema.parse(run.inputs);
    const bytes = (await inputs.list()).reduce((sum, { bytes: size }) => sum + size, 0);
    return {
      policy: wishes.policy ?? 'verbatim',
      title: wishes.title ?? (await this.sessionTitle(run)),
      language: wishes.language ?? null,
      author: this.model.chat.label,
      sourceAppendix: wishes.source_appendix ?? false,
      decisionDeadlineSeconds: this.settings.DECISION_DEADLINE_SECONDS,
      // A large input needs many pages, and each page about two calls: the cap grows with it (D25).
      maxAgentSteps: this.settings.MAX_AGENT_STEPS + Math.ceil((bytes / this.settings.READ_PAGE_BYTES) * 3),
      systemPrompt: this.prompt.text,
    };
  }
}

/** Passes events on and measures, from one completed node to the next, how long each node took. */
function nodeTimer(events: EventBuffer): (event: NewRunEvent) => void {
  let since = performance.now();
  return (event) => {
    events.emit(event);
    if (event.type !== 'node_complete') return;
    const now = performance.now();
    processMetrics.nodeSeconds.observe({ node: String(event.data['node']) }, (now - since) / 1000);
    since = now;
  };
}
