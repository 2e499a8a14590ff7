import { detailOf } from '#contracts/phrases/detail.js';
import { failureState } from '#kit/graph/failure-state.js';
import type { DecisionReference } from '#contracts/references.js';
import type { Acceptance } from '#contracts/coverage.js';
import { contextOf, questionOf } from '#contracts/decision-request.js';
import type { DecisionOrder } from '#catalogue/decisions.js';
import { englishText, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { issueFingerprint } from '#contracts/manuscript.js';
import { userDecisionsSchema } from '#contracts/references.js';
import { HumanMessage } from '@langchain/core/messages';
import { runRemotely } from '#kit/graph/remote.js';
import { restarted } from '../progress.js';
import type { DocumentPorts } from '../ports.js';
import { sourcesToValidate } from './validation.js';
import {
  openFiles,
  openReferences,
  wordsWithoutCall,
  type DocumentState,
  type DocumentUpdate,
} from '../state.js';

type Settings = DocumentPorts['settings'];

/** Maximum number of facts shown with a question. */
const MAX_CONTEXT = 50;
/** Maximum number of accepted issues that are stored verbatim. */
const MAX_ACCEPTED = 20;

const skipAll = (refs: string[]) => Object.fromEntries(refs.map((ref) => [ref, 'skip']));

/** Returns the location of a reference, as far as the scan knows it. */
function detailsOf(state: DocumentState, ref: string): DecisionReference {
  const known = state.missing_reference_details.find((detail) => detail.ref === ref);
  return known ?? { ref, source: null, line: null, hint: null };
}

function missingReferencesRequest(state: DocumentState, settings: Settings): DecisionOrder {
  const asked = state.pending_question!;
  const refs = [...new Set([...asked.refs, ...openReferences(state)])].filter(
    (ref) => !Object.hasOwn(state.user_decisions, ref),
  );
  const isQuestion = refs.length === 0;
  return {
    session_id: state.session_id,
    decision_type: isQuestion ? 'question' : 'missing_references',
    ...(isQuestion
      ? { question: asked.question }
      : questionOf(phrase('question.missing_references', { question: asked.phrase ?? asked.question }))),
    references: refs.map((ref) => detailsOf(state, ref)),
    context: [],
    deadline_seconds: settings.decisionDeadlineSeconds,
    default_answer: isQuestion
      ? { text: 'Nobody answered in time. Go on with what the sources say.' }
      : { user_decisions: skipAll(refs) },
  };
}

/** D18–D20: asks a person and adds the answer to the state. The run then continues with the agent. */
export function humanInput(settings: Settings) {
  return (state: DocumentState): DocumentUpdate => {
    const request = missingReferencesRequest(state, settings);
    const outcome = runRemotely('human_input', request);
    const answer = outcome.ok ? outcome.output : request.default_answer;
    const decisions = userDecisionsSchema.parse(answer.user_decisions ?? {});
    const text = typeof answer.text === 'string' ? answer.text : null;
    return {
      user_decisions: decisions,
      pending_question: null,
      status: 'processing',
      work_order_due: true,
      messages: text === null ? [] : [new HumanMessage(`A person answers your question: ${text}`)],
    };
  };
}

/** Describes the incompletely carried files; files with nothing carried are first. */
function shortFiles({ coverage_report: report }: DocumentState): Phrase[] {
  return (report?.files ?? []).map(({ name, lines, bytes }) =>
    phrase(bytes.missing === bytes.total ? 'fact.not_carried' : 'fact.partly_carried', {
      name,
      missingLines: lines.missing,
      lines: lines.total,
      missingBytes: bytes.missing,
      bytes: bytes.total,
    }),
  );
}

/**
 * Describes the issues. An issue without a line, for example if the validation exceeded its limits, has a
 * detail that names the source.
 */
function issueFacts({ validation_issues: issues }: DocumentState): Phrase[] {
  return issues.map((issue) => {
    const { line_number: line, rule, error_detail: detail } = issue;
    const message = detailOf(issue);
    if (line > 0) return phrase('fact.issue_at_line', { line, rule, message });
    if (detail === null) return phrase('fact.issue', { rule, message });
    return phrase('fact.issue_with_detail', { rule, message, detail });
  });
}

/**
 * Returns the document's note about an accepted failure: who accepted it, when, and the coverage and issues
 * at that time.
 */
function acceptanceOf(
  state: DocumentState,
  answered: { decision_id: string; by: string; at: string },
): Acceptance {
  return {
    ...answered,
    coverage: state.coverage,
    issue_count: state.validation_issues.length,
    issues: issueFacts(state).slice(0, MAX_ACCEPTED).map(englishText),
  };
}

/** D23: after three failed attempts to fix, a person decides: accept, retry or abort. */
export function fixDecision(settings: Settings) {
  return (state: DocumentState): DocumentUpdate => {
    const words = openFiles(state).length > 0 ? wordsWithoutCall(state.messages) : null;
    const answered = words === null ? [] : [phrase('fact.answered', { words })];
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'fix_exhausted',
      ...questionOf(
        phrase('question.fix_exhausted', {
          count: state.validation_issues.length,
          attempts: state.fix_attempts,
        }),
      ),
      references: [],
      ...contextOf([...shortFiles(state), ...answered, ...issueFacts(state)].slice(0, MAX_CONTEXT)),
      deadline_seconds: settings.decisionDeadlineSeconds,
      default_answer: { action: 'abort' },
    });
    const action = outcome.ok ? outcome.output.action : 'abort';
    if (action === 'accept' && state.temp_md_path === null) {
      return { status: 'failed', ...failureState('no_manuscript', phrase('run_error.no_manuscript')) };
    }
    if (action === 'accept') {
      return {
        validation_passed: true,
        files_written: sourcesToValidate(state),
        accepted_issues: state.validation_issues.map(issueFingerprint),
        ...(outcome.ok && outcome.answered
          ? { acceptances: [...state.acceptances, acceptanceOf(state, outcome.answered)] }
          : {}),
        validation_issues: [],
        fix_attempts: 0,
        fix_exhausted: false,
        progress: restarted(state.progress),
      };
    }
    if (action === 'retry')
      return {
        fix_attempts: 0,
        fix_exhausted: false,
        work_order_due: true,
        progress: restarted(state.progress),
        status: 'processing',
      };
    return {
      status: 'failed',
      ...failureState('validation_failed', phrase('run_error.validation_failed')),
    };
  };
}
