import { phrase } from '#contracts/phrases/phrase.js';
import { runErrorOf } from '#kit/graph/failure-state.js';
import { OFFLINE_WRITER } from '#contracts/model-facts.js';
import { writerPorts } from '#kit/graph/offline-writer.js';
import type { RunnerServices, SessionPorts } from '#kit/graph/ports.js';
import { documentKind } from '../contract.js';
import { isSourceName } from '#contracts/file-kinds.js';
import {
  RunFailure,
  type AnyGraph,
  type GraphDefinition,
  type GraphState,
  type HeldRun,
  type RunEvents,
  type RunOutcome,
} from '#engine/kind.js';
import { documentFacts } from '../facts.js';
import { buildDocumentGraph } from './graph.js';
import { DocumentRules } from '../offline/rules.js';
import type { DocumentSettings } from './ports.js';
import { loadSystemPrompt } from '../prompts/system-prompt.js';
import { buildInitialState, type DocumentState } from './state.js';
import type { ReadWritten } from '../ports/written-document.js';

/** Model calls that the cap allows for each file and each page, including a reserve for failures. */
const CALLS_PER_FILE = 5;
const CALLS_PER_PAGE = 3;

/**
 * Returns the maximum number of model calls of a run (D25). A file takes about three and a page of a large
 * file about two; the cap grows with both.
 *
 * @param bytes of all files
 */
export function callCap(
  { maxAgentSteps, readPageBytes }: Pick<RunnerServices['settings'], 'maxAgentSteps' | 'readPageBytes'>,
  files: number,
  bytes: number,
): number {
  return maxAgentSteps + CALLS_PER_FILE * files + Math.ceil((bytes / readPageBytes) * CALLS_PER_PAGE);
}

/** Runs of kind `document`: raw files → verbatim manuscript → DOCX (D1–D34). */
export class DocumentDefinition implements GraphDefinition {
  readonly version = documentFacts.version;
  readonly describe = documentFacts.describe;
  readonly results = documentFacts.results;
  private readonly prompt = loadSystemPrompt();

  constructor(
    private readonly services: RunnerServices,
    private readonly written: ReadWritten,
  ) {}

  async build(run: HeldRun, events: RunEvents, signal: AbortSignal): Promise<AnyGraph> {
    const session = this.services.session(run);
    const writer = await writerPorts(this.services, run, events, this.prompt.version, {
      label: OFFLINE_WRITER,
      withoutModel: documentKind.inputs.parse(run.inputs).without_model ?? false,
    });
    return buildDocumentGraph({
      inputs: session.inputs,
      manuscripts: session.manuscripts,
      checkpoints: session.checkpoints,
      ...writer,
      rules: new DocumentRules(this.services.inThread, signal),
      say: (text) => events.token(text, { node: 'agent', operation: null }),
      settings: await this.settingsOf(
        run,
        session,
        converts(run) ? (await this.written(run)).author : writer.model.label,
      ),
    }) as AnyGraph;
  }

  async initialState(run: HeldRun): Promise<GraphState> {
    const files = await this.services.session(run).inputs.list();
    if (files.length === 0) throw new RunFailure('no_inputs', phrase('run_error.no_inputs'));
    const names = files.map(({ name }) => name);
    const state = buildInitialState(run.sessionId, names, names.filter(isSourceName));
    if (!converts(run)) return state as GraphState;
    const { pointer, state: before } = await this.written(run);
    const current_chapter = (before.document_outline ?? []).filter(({ level }) => level === 1).length + 1;
    const changes = {
      current_chapter,
      current_file_index: names.length,
      temp_md_path: pointer,
      generation_complete: true,
      export_only: true,
      status: 'converting' as const,
    };
    return { ...state, ...before, ...changes } as GraphState;
  }

  outcome(graphState: GraphState): RunOutcome {
    const state = graphState as Partial<DocumentState>;
    const { coverage, coverage_report, acceptances, export_id } = state;
    const used_fallback = state.model_recovery?.rules ?? false;
    const result = { coverage, coverage_report, acceptances, export_id, used_fallback };
    if (state.status === 'completed') return { status: 'completed', result };
    return { status: 'failed', error: runErrorOf(state), result };
  }

  private async settingsOf(run: HeldRun, session: SessionPorts, author: string): Promise<DocumentSettings> {
    const { settings } = this.services;
    const options = documentKind.inputs.parse(run.inputs);
    const files = await session.inputs.list();
    const bytes = files.reduce((sum, { bytes: size }) => sum + size, 0);
    return {
      policy: options.policy ?? 'verbatim',
      hasSummary: options.summary ?? options.policy === 'narrative',
      // The document has the session's title unless the run sets another.
      title: options.title ?? (await session.title()),
      language: options.language ?? null,
      author,
      sourceAppendix: options.source_appendix ?? false,
      codeColors: options.code_colors ?? false,
      lineNumbers: options.line_numbers ?? false,
      decisionDeadlineSeconds: settings.decisionDeadlineSeconds,
      maxAgentSteps: callCap(settings, files.length, bytes),
      systemPrompt: this.prompt.text,
    };
  }
}

/** Returns whether a run only converts the manuscript that an earlier one wrote. */
const converts = (run: HeldRun): boolean => documentKind.inputs.parse(run.inputs).export_only === true;
