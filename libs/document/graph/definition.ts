import { phrase } from '#contracts/phrases/phrase.js';
import { runErrorOf } from '#kit/graph/failure-state.js';
import { OFFLINE_WRITER } from '#contracts/model-facts.js';
import { sourceOfFingerprint } from '#contracts/manuscript.js';
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
import { DocumentRules } from '../offline/rules.js';
import type { DocumentSettings, DocumentPorts } from './ports.js';
import { loadSystemPrompt } from '../prompts/system-prompt.js';
import {
  buildInitialState,
  type DocumentState,
  DocumentStateAnnotation,
  type DocumentUpdate,
} from './state.js';
import type { BeforeRun, WrittenDocument } from '../store/written-run.js';
import type { EarlierDocument, KeptChapters } from './kept-chapters.worker.js';
import { takeOver } from './take-over.js';
import { START } from '@langchain/langgraph';
import { graphByTable } from '#kit/graph/graph-by-table.js';
import { reportNode, type NodeFunction, stepKey } from '#kit/graph/node.js';
import { agent } from './nodes/agent.js';
import { scanAssets } from './nodes/assets.js';
import { budgetDecision, modelDecision } from './nodes/model.js';
import { convert, errorHandler, parseToJson, qualityCheck } from './nodes/conversion.js';
import { unreadableDecision, encodingDecision } from './nodes/unreadable.js';
import { fixDecision, humanInput } from './nodes/human.js';
import { tools } from './nodes/tools.js';
import { checkpoint, validateMd } from './nodes/validation.js';
import { routingTable } from './routing.js';
import { documentNodes, type DocumentNode } from '../facts/nodes.js';
import type { UserDecisions } from '#contracts/references.js';
import { referenceResolver } from '#markdown/references/resolve.js';

/**
 * Returns the decisions about references that an input still does not answer: a picture that was added after a person
 * skipped it is shown (X6). Assets do not count, because answers to other references are among them.
 */
export function openDecisions(
  decisions: UserDecisions,
  { input_files, text_files }: Pick<DocumentState, 'input_files' | 'text_files'>,
): UserDecisions {
  const resolve = referenceResolver(input_files);
  const isOpen = ([ref]: [string, string]) => text_files.some((name) => resolve(ref, name).match === null);
  return Object.fromEntries(Object.entries(decisions).filter(isOpen));
}

type DocumentNodeFunction = NodeFunction<DocumentState, DocumentUpdate>;
type GivenNode = (...args: Parameters<DocumentNodeFunction>) => DocumentUpdate | Promise<DocumentUpdate>;

/** State keys whose changes clients see. */
const PUBLIC_KEYS = [
  'status',
  'current_chapter',
  'current_file_index',
  'document_outline',
  'coverage',
  'last_error',
  'error_type',
] as const;

/** Reports a node, and emits the changes of the state that clients see, with the key of its step, so that a repeated step emits nothing new. */
function announced(name: DocumentNode, ports: DocumentPorts, given: GivenNode): DocumentNodeFunction {
  const emit: DocumentPorts['emit'] = (event) => ports.emit(event);
  const chapterOf = ({ current_chapter: chapter }: DocumentState) => ({ chapter });
  const node = reportNode(name, emit, given, chapterOf, () => ({}));
  return async (state, config) => {
    const update = await node(state, config);
    const changed = PUBLIC_KEYS.filter((key) => update[key] !== undefined && update[key] !== state[key]);
    if (changed.length > 0) {
      const data = { ...Object.fromEntries(changed.map((key) => [key, update[key]])), node: name };
      emit({ type: 'state_updated', data, effectKey: `${stepKey(config)}/state_updated` });
    }
    return update;
  };
}

/**
 * Builds the uncompiled document graph (D4–D34); the run engine compiles it with its checkpointer.
 *
 * `scan_assets`, `encoding_decision`, `unreadable_decision`, `human_input`, `budget_decision`, `model_decision`,
 * `fix_decision`, `validate_md`, `parse_to_json`, `convert` and `quality_check` are remote: they interrupt with a task. The other nodes run
 * in the agent-runner.
 */
export function buildDocumentGraph(ports: DocumentPorts) {
  const given: Record<DocumentNode, GivenNode> = {
    scan_assets: scanAssets,
    encoding_decision: encodingDecision(ports.settings),
    unreadable_decision: unreadableDecision(ports.settings),
    human_input: humanInput(ports.settings),
    agent: agent(ports),
    budget_decision: budgetDecision(ports),
    model_decision: modelDecision(ports),
    tools: tools(ports),
    validate_md: validateMd(ports),
    fix_decision: fixDecision(ports.settings),
    checkpoint: checkpoint(ports),
    parse_to_json: parseToJson,
    convert: convert(ports),
    quality_check: qualityCheck,
    error_handler: errorHandler(ports),
  };
  const nodes = {} as Record<DocumentNode, DocumentNodeFunction>;
  for (const name of documentNodes) nodes[name] = announced(name, ports, given[name]);
  const graph = graphByTable(DocumentStateAnnotation, documentNodes, nodes, routingTable);
  const first = ({ export_only }: DocumentState) => (export_only ? 'validate_md' : 'scan_assets');
  graph.addConditionalEdges(START, first, ['scan_assets', 'validate_md']);
  return graph;
}

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

const KEEP_CHAPTERS = new URL('./kept-chapters.worker.js', import.meta.url);
/** Maximum number of names in a message. */
const MAX_SHOWN = 10;

/** Runs of kind `document`: raw files → verbatim manuscript → DOCX (D1–D34). */
export class DocumentDefinition implements GraphDefinition {
  readonly version = documentFacts.version;
  readonly describe = documentFacts.describe;
  readonly results = documentFacts.results;
  private readonly prompt = loadSystemPrompt();

  constructor(
    private readonly services: RunnerServices,
    private readonly before: BeforeRun,
  ) {}

  async build(run: HeldRun, events: RunEvents, signal: AbortSignal): Promise<AnyGraph> {
    const session = this.services.session(run);
    const writer = await this.services.writer(run, events, this.prompt.version, {
      label: OFFLINE_WRITER,
      isChosen: documentKind.inputs.parse(run.inputs).without_model ?? false,
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
        converts(run) ? (await this.before.written(run)).author : writer.model.label,
      ),
    }) as AnyGraph;
  }

  async initialState(run: HeldRun): Promise<GraphState> {
    const files = await this.services.session(run).inputs.list();
    if (files.length === 0) throw new RunFailure('no_inputs', phrase('run_error.no_inputs'));
    const names = files.map(({ name }) => name);
    const input_hashes = await this.before.hashes(run);
    const state = { ...buildInitialState(run.sessionId, names, names.filter(isSourceName)), input_hashes };
    const { only_changed } = documentKind.inputs.parse(run.inputs);
    if (!converts(run)) return (only_changed ? await this.rebuilt(run, state) : state) as GraphState;
    const { pointer, state: before } = await this.before.written(run);
    const current_chapter = (before.document_outline ?? []).filter(({ level }) => level === 1).length + 1;
    const changes = {
      current_chapter,
      current_file_index: names.length,
      temp_md_path: pointer,
      generation_complete: true,
      export_only: true,
      taken_over: null,
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

  /**
   * Adds to the initial state the chapters whose sources have not changed since the last document was written, and what
   * people decided about it (X6).
   *
   * @throws RunFailure `changes_would_be_lost` if people have edited a chapter that has to be written again, or
   * changed a document of which nothing can be kept
   */
  private async rebuilt(run: HeldRun, state: DocumentState): Promise<DocumentState> {
    const written = await this.before.left(run);
    const inputs = documentKind.inputs.parse(run.inputs);
    const kept = written && (await this.keptChapters(run, written, state));
    const lost = kept?.edited.lost ?? (written?.isChanged ? state.text_files : []);
    if (lost.length > 0 && inputs.discard_changes !== true) {
      const names = lost.slice(0, MAX_SHOWN).join(', ');
      throw new RunFailure('changes_would_be_lost', phrase('run_error.changes_would_be_lost', { names }));
    }
    if (written === null || kept === null || kept.chapters.length === 0) return state;
    const { pointer: manuscript, state: before } = written;
    const isKept = (name: string) => kept.kept.includes(name);
    const ask = new Set(inputs.ask_again);
    const decisions = Object.entries(openDecisions(before.user_decisions ?? {}, state)).filter(
      ([ref]) => !ask.has(ref),
    );
    const accepted = (before.accepted_issues ?? []).filter((issue) => isKept(sourceOfFingerprint(issue)));
    const begun = {
      ...state,
      taken_over: { ...kept, manuscript },
      user_decisions: Object.fromEntries(decisions),
      encodings: Object.fromEntries(Object.entries(before.encodings ?? {}).filter(([name]) => isKept(name))),
      left_out: (before.left_out ?? []).filter(({ name }) => isKept(name)),
      accepted_issues: accepted,
      acceptances: accepted.length > 0 ? (before.acceptances ?? []) : [],
    };
    const { manuscripts } = this.services.session(run);
    return { ...begun, ...(await takeOver({ manuscripts }, begun, { isProven: true })) } as DocumentState;
  }

  /** Returns the chapters that are kept; null if the last document cannot be compared. */
  private async keptChapters(
    run: HeldRun,
    { pointer, inputs, state: before }: WrittenDocument,
    { text_files: sources, input_hashes: now }: DocumentState,
  ): Promise<KeptChapters | null> {
    const { temp_md_path, ledger_path, input_hashes = {} } = before;
    const earlier = documentKind.inputs.safeParse(inputs).data ?? {};
    const given = documentKind.inputs.parse(run.inputs);
    const isOther = (['policy', 'summary', 'first_page', 'without_model'] as const).some(
      (key) => String(earlier[key]) !== String(given[key]),
    );
    if (isOther || !temp_md_path || !ledger_path || Object.keys(input_hashes).length === 0) return null;
    const { manuscripts } = this.services.session(run);
    const read = async (version: string) => ({
      lines: await manuscripts.lines(version),
      outline: (await manuscripts.describe(version)).outline,
    });
    const written = await read(temp_md_path);
    const work: EarlierDocument = {
      ledger: await this.before.ledger(ledger_path),
      written,
      current: pointer === temp_md_path ? written : await read(pointer),
      before: input_hashes,
      now,
      sources,
      edited: before.taken_over?.edited.kept ?? [],
    };
    return this.services.inThread<KeptChapters>(KEEP_CHAPTERS, work);
  }

  private async settingsOf(run: HeldRun, session: SessionPorts, author: string): Promise<DocumentSettings> {
    const { settings } = this.services;
    const options = documentKind.inputs.parse(run.inputs);
    const files = await session.inputs.list();
    const bytes = files.reduce((sum, { bytes: size }) => sum + size, 0);
    return {
      policy: options.policy ?? 'verbatim',
      hasSummary: options.summary ?? options.policy === 'narrative',
      firstPage: options.first_page ?? [],
      // The document has the session's title unless the run sets another.
      title: options.title ?? (await session.title()),
      language: options.language ?? null,
      author,
      sourceAppendix: options.source_appendix ?? false,
      codeColors: options.code_colors ?? false,
      lineNumbers: options.line_numbers ?? false,
      listOfFigures: options.list_of_figures,
      proposals: options.proposals,
      decisionDeadlineSeconds: settings.decisionDeadlineSeconds,
      maxAgentSteps: callCap(settings, files.length, bytes),
      systemPrompt: this.prompt.text,
    };
  }
}

/** Returns whether a run only converts the manuscript that an earlier one wrote. */
const converts = (run: HeldRun): boolean => documentKind.inputs.parse(run.inputs).export_only === true;
