import { runErrorOf } from '#kit/graph/failure-state.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun, RunEvents, RunOutcome } from '#engine/kind.js';
import { decisionNodes } from '#kit/graph/decision-nodes.js';
import { graphByTable } from '#kit/graph/graph-by-table.js';
import { budgeted, instrumentNode, askModel, stepKey } from '#kit/graph/node.js';
import { type RunnerServices, ModelFailure } from '#kit/graph/ports.js';
import { START } from '@langchain/langgraph';
import { changeKind, type ChangeInputs } from '../contract.js';
import { changeFacts } from '../facts.js';
import {
  CHANGE_PROMPT_VERSION,
  proposeChange,
  REVIEWER,
  type Proposed,
  type Written,
} from '../prompts/prompts.js';
import {
  type ChangePorts,
  ChangeStateAnnotation,
  type ChangeNodeFunction,
  type ChangeState,
  failed,
  type ChangeUpdate,
} from './state.js';
import { ChangeRules } from './rules.js';
import { changeNodes, routingTable, type ChangeNode } from './routing.js';
import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { runRemotely } from '#kit/graph/remote.js';
import { passagesBlock } from '#kit/graph/passages.js';
import { reviewClaims } from '#kit/graph/review-claims.js';
import type { Finding } from '#contracts/findings.js';
import { finding, sortFindings } from '#writing/findings.js';
import { noteLabels } from '#writing/sentences.js';
import { isAcceptable, type Proposal } from '../contract/schemas.js';

/** Ports that a runner provides for changes, in addition to the ports of all kinds. */
export type ChangeServices = (run: HeldRun) => Pick<ChangePorts, 'candidate' | 'fixedWords' | 'keep'>;

/** Builds the uncompiled graph of changes. */
export function buildChangeGraph(ports: ChangePorts) {
  const nodes: Record<ChangeNode, ChangeNodeFunction> = {
    propose_change: budgeted(propose(ports)),
    validate_change: validate(ports),
    save_proposal: save(ports),
    ...decisionNodes(ports, { stopped: 'rejected', text: 'unchanged', byRules: () => null }),
  };
  for (const name of changeNodes) nodes[name] = instrumentNode(name, ports.emit, nodes[name]);
  const graph = graphByTable(ChangeStateAnnotation, changeNodes, nodes, routingTable);
  graph.addEdge(START, 'propose_change');
  return graph;
}

/** Runs of kind `change`. */
export class ChangeDefinition implements GraphDefinition {
  readonly version = changeFacts.version;
  readonly describe = changeFacts.describe;
  readonly results = changeFacts.results;

  constructor(
    private readonly services: RunnerServices,
    private readonly changes: ChangeServices,
  ) {}

  async build(run: HeldRun, events: RunEvents, signal: AbortSignal): Promise<AnyGraph> {
    const graph = buildChangeGraph({
      rules: new ChangeRules(this.services.inThread, signal),
      ...this.changes(run),
      ...(await this.services.writer(run, events, CHANGE_PROMPT_VERSION)),
    });
    return graph as AnyGraph;
  }

  initialState(run: HeldRun): Promise<GraphState> {
    const { decisions: _, ...inputs } = changeKind.inputs.parse(run.inputs);
    return Promise.resolve({ session_id: run.sessionId, inputs });
  }

  outcome(graphState: GraphState): RunOutcome {
    const state = graphState as Partial<ChangeState>;
    if (state.status === 'completed') return { status: 'completed', result: {} };
    return { status: state.status === 'rejected' ? 'rejected' : 'failed', error: runErrorOf(state) };
  }
}

/** Number of issues of a validation that a proposal shows. */
const SHOWN_ISSUES = 20;

/**
 * Proposes what a person wrote, or asks the model for the words that replace the selection. Rules never do: without a model
 * such a run fails.
 */
function propose(ports: ChangePorts): ChangeNodeFunction {
  const withCandidate = async (inputs: ChangeInputs, written: Written): Promise<ChangeUpdate> => {
    const candidate = inputs.target.kind === 'document' ? await ports.candidate(written.replacement) : null;
    return { ...written, candidate };
  };
  return async ({ inputs }, config) => {
    if (inputs.replacement !== undefined)
      return withCandidate(inputs, { replacement: inputs.replacement, note: null, findings: [] });
    let proposed: Proposed | null;
    try {
      proposed = await askModel(ports, proposeChange(inputs, ports.rules), config);
    } catch (error) {
      if (error instanceof ModelFailure && error.code === 'model_answer_unusable') return unusable();
      throw error;
    }
    if (proposed === null) return failed('no_model', phrase('run_error.no_model.change'));
    if ('impossible' in proposed) return failed('change_impossible', proposed.impossible);
    const { replacement, note } = proposed;
    const findings = await reviewed(ports, inputs, proposed, config);
    return withCandidate(inputs, { replacement, note, findings });
  };
}

/** Lets the model prove or refute what the cited passages do not state word for word (X15). */
async function reviewed(
  ports: ChangePorts,
  inputs: ChangeInputs,
  { replacement: text, findings }: Written,
  config: Parameters<ChangeNodeFunction>[1],
): Promise<Finding[]> {
  // Words without a citation belong to a sentence that the reviewer would see only in part.
  if (inputs.passages.length === 0 || noteLabels(text).length === 0) return findings;
  const prefix = passagesBlock(inputs.passages);
  const review = await reviewClaims(ports, { system: REVIEWER, prefix, text, findings }, config);
  if (review === null) return findings;
  const settled = await ports.rules.call('settle', inputs, text, findings, review.verdicts);
  return sortFindings([...settled, ...review.findings]);
}

const unusable = (): ChangeUpdate => failed('proposal_unusable', phrase('run_error.proposal_unusable'));

/** Validates the changed manuscript like a document run does, so that the ledger of an accepted change is true. */
function validate(ports: ChangePorts): ChangeNodeFunction {
  return async ({ candidate, replacement, findings }) => {
    const outcome = runRemotely('validate_md', candidate!.validation!);
    if (!outcome.ok) return failed(outcome.error.code, detailOf(outcome.error));
    const { validation_passed, validation_issues, coverage, ledger_path, fixed_manuscript } = outcome.output;
    const ledger = {
      passed: validation_passed,
      coverage,
      issues: validation_issues.slice(0, SHOWN_ISSUES).map(({ message }) => message),
    };
    if (fixed_manuscript === null) return { ledger, ledger_key: ledger_path };
    const words = await ports.fixedWords(fixed_manuscript);
    if (words !== null)
      return {
        ledger,
        ledger_key: ledger_path,
        replacement: words,
        candidate: { ...candidate!, manuscript_key: fixed_manuscript },
      };
    const outside = finding(replacement!, [], {
      rule: 'change-outside-selection',
      severity: 'error',
      message: phrase('finding.change_outside_selection'),
      suggestion: phrase('finding.change_outside_selection.whole_paragraphs'),
    });
    return { ledger, findings: [...findings, outside] };
  };
}

/** Stores the proposal, so that people can accept or reject it after the run. */
function save(ports: ChangePorts): ChangeNodeFunction {
  return async (state, config) => {
    const { target, base, span, instruction, selected } = state.inputs;
    const proposal: Proposal = {
      state: 'proposed',
      target,
      base,
      span,
      instruction,
      before: selected,
      after: state.replacement!,
      note: state.note,
      findings: state.findings,
      ledger: state.ledger,
      manuscript_key: state.candidate?.manuscript_key ?? null,
      ledger_key: state.ledger_key,
    };
    const proposal_key = await ports.keep(proposal);
    ports.emit({
      type: 'change_proposed',
      data: { findings: state.findings.length, acceptable: isAcceptable(proposal) },
      effectKey: `${stepKey(config)}/change_proposed`,
    });
    return { proposal_key, status: 'completed' };
  };
}
