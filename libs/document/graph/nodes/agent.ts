import { phrase } from '#contracts/phrases/phrase.js';
import { failureState } from '#kit/graph/failure-state.js';
import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { isCut } from '#kit/graph/structured.js';
import { stepKey } from '#kit/graph/node.js';
import { failureReport } from '#kit/graph/model-recovery.js';
import { BudgetExceededError, ModelFailure, type ModelPort } from '#kit/graph/ports.js';
import type { DocumentPorts } from '../ports.js';
import { takeOver } from '../take-over.js';
import { writeChapter } from '../../offline/write-chapter.js';
import {
  cutCorrection,
  emptyCorrection,
  idleCorrection,
  malformedCorrection,
} from '../../prompts/malformed.js';
import { shorterPrompt, changesOf, outdatedMessages } from '../../prompts/shorter.js';
import { buildWorkOrder } from '../../prompts/work-order.js';
import {
  isFullyValidated,
  openFiles,
  wordsWithoutCall,
  type DocumentState,
  type DocumentUpdate,
} from '../state.js';
import { callsWithoutProgress, checkProgress } from '../progress.js';
import { ToolSession } from '../tools/tool-session.js';
import { getTools } from '../tools/tools.js';
import { folderOf } from '#contracts/source-name.js';
import { imageLine } from '../../offline/image-line.js';
import { imagesOf } from '../../offline/sources/kind.js';

/**
 * Adds the images that the manuscript of a model does not show to its end, so that none is lost (X1). The manuscript
 * is validated again.
 *
 * @returns an empty update if it shows all
 */
async function attachImages(ports: DocumentPorts, state: DocumentState): Promise<DocumentUpdate> {
  const { temp_md_path: pointer, text_files } = state;
  const images = imagesOf(state);
  if (images.length === 0 || pointer === null) return {};
  const text = (await ports.manuscripts.lines(pointer)).join('\n');
  const shown = new Set<string>();
  // References are relative to the folder of their source.
  const folders = new Set(text_files.map((name) => folderOf(name)));
  for (const folder of folders)
    for (const name of await ports.rules.placedImages(`${folder}manuscript.md`, text, images))
      shown.add(name);
  const lines = images.filter((name) => !shown.has(name)).map((name) => `\n${imageLine(name)}\n`);
  if (lines.length === 0) return {};
  const { pointer: temp_md_path, outline } = await ports.manuscripts.append(pointer, lines.join(''));
  return { temp_md_path, document_outline: outline };
}

/** Lines of the manuscript's tail in a work order (D17), and their maximum number of characters. */
const TAIL_LINES = 100;
const TAIL_CHARACTERS = 64 * 1024;
const MAX_MALFORMED_IN_A_ROW = 3;
/**
 * Maximum number of corrections per work order after an answer without a tool call. A further one ends the writing, or the
 * model has failed if nothing is written.
 */
const MAX_IDLE_CORRECTIONS = 2;

/** Returns the update that ends a run past its limits; null if it may continue. */
function exhausted(state: DocumentState, ports: DocumentPorts): DocumentUpdate | null {
  const { maxAgentSteps } = ports.settings;
  if (state.agent_steps >= maxAgentSteps) {
    const detail = phrase('run_error.step_limit', { max: maxAgentSteps });
    return { status: 'failed', ...failureState('step_limit', detail) };
  }
  return null;
}

/** Name under which errors and usage report the model calls that write the document. */
const OPERATION = 'write_document';

/**
 * Throws if the model sent too many answers in a row that are unusable, or that call no tool while nothing is written.
 *
 * @throws ModelFailure `malformed_tool_calls`, `no_tool_calls`
 */
function checkAnswers({ malformed_calls: times, idle_answers: idle, messages }: DocumentState): void {
  if (times >= MAX_MALFORMED_IN_A_ROW)
    throw new ModelFailure('malformed_tool_calls', phrase('model_failure.malformed_tool_calls', { times }));
  if (idle <= MAX_IDLE_CORRECTIONS) return;
  const words = wordsWithoutCall(messages) ?? '';
  throw new ModelFailure('no_tool_calls', phrase('model_failure.no_tool_calls', { times: idle, words }));
}

/**
 * Copies an answer with a new id: some servers give every answer the same id, which would make LangGraph
 * replace the earlier one instead of appending.
 */
function withOwnId(answer: AIMessage, id: string): AIMessage {
  const { content, tool_calls, invalid_tool_calls, additional_kwargs, usage_metadata, response_metadata } =
    answer;
  return new AIMessage({
    id,
    content,
    tool_calls,
    invalid_tool_calls,
    additional_kwargs,
    usage_metadata,
    response_metadata,
  });
}

/**
 * Returns a correction for the model if its answer is unusable, else null. An empty answer is valid only if
 * no work is left.
 */
function correctionOf(answer: AIMessage, state: DocumentState): HumanMessage | null {
  if ((answer.tool_calls ?? []).length > 0) return null;
  if (isCut(answer)) return cutCorrection();
  const malformed = answer.invalid_tool_calls ?? [];
  if (malformed.length > 0) return malformedCorrection(malformed);
  return answer.text.trim() === '' && !isFullyValidated(state) ? emptyCorrection() : null;
}

/**
 * Returns a correction if the model answers with words although files are open, or although it changed nothing
 * after a failed validation. Returns null if the writing is complete.
 */
function idleCorrectionOf(state: DocumentState, idleAnswers: number): HumanMessage | null {
  // Without a manuscript, there is nothing to validate: `checkAnswers` ends the waiting.
  if (idleAnswers >= MAX_IDLE_CORRECTIONS && state.temp_md_path !== null) return null;
  const open = openFiles(state);
  const isUnchanged = state.work_order_due || !(state.messages.at(-1) instanceof ToolMessage);
  const isIgnored = state.validation_passed === false && isUnchanged;
  return open.length > 0 || isIgnored ? idleCorrection(open) : null;
}

/** Returns the state update for an answer of the model (D16). */
function readAnswer(answer: AIMessage, state: DocumentState): DocumentUpdate {
  const idle_answers = state.work_order_due ? 0 : state.idle_answers;
  const correction = correctionOf(answer, state);
  if (correction) return { messages: [correction], malformed_calls: state.malformed_calls + 1, idle_answers };
  const update = { malformed_calls: 0, generation_complete: false, idle_answers };
  if ((answer.tool_calls ?? []).length > 0) return { ...update, messages: [answer] };
  const idle = idleCorrectionOf(state, idle_answers);
  if (idle) return { ...update, messages: [answer, idle], idle_answers: idle_answers + 1 };
  return { ...update, messages: [answer], generation_complete: true };
}

interface Answered {
  answer: AIMessage;
  /** The messages that the model accepted. */
  prompt: BaseMessage[];
}

/**
 * Calls the model; while the prompt is longer than it accepts, again with a shorter one.
 *
 * @throws the errors of `ModelPort.call`
 */
async function callWithin(model: ModelPort, request: Parameters<ModelPort['call']>[0]): Promise<Answered> {
  let prompt = request.messages;
  for (let cuts = 0; ; cuts++) {
    const effectKey = cuts === 0 ? request.effectKey : `${request.effectKey}/shorter/${cuts}`;
    try {
      return { answer: await model.call({ ...request, messages: prompt, effectKey }), prompt };
    } catch (error) {
      const isTooLong = error instanceof ModelFailure && error.code === 'model_prompt_too_long';
      const shorter = isTooLong ? shorterPrompt(prompt) : null;
      if (shorter === null) throw error;
      prompt = shorter;
    }
  }
}

/**
 * Returns the model's answer, or the update that leads to a decision: if a budget does not allow the call
 * (X7), or the model failed (X13).
 */
async function askModel(
  { model }: DocumentPorts,
  state: DocumentState,
  request: Parameters<ModelPort['call']>[0],
): Promise<Answered | { update: DocumentUpdate }> {
  const tier = state.model_recovery.tier ?? 'main';
  try {
    checkAnswers(state);
    await checkProgress(state, model);
    return await callWithin(model, { ...request, tier, operation: OPERATION });
  } catch (error) {
    if (error instanceof BudgetExceededError) return { update: { budget_shortfall: error.shortfall } };
    if (!(error instanceof ModelFailure)) throw error;
    const failure = failureReport(error, OPERATION, tier, model);
    return { update: { model_recovery: { ...state.model_recovery, failure } } };
  }
}

/** Completes the manuscript of a model: adds the kept chapters that are left, and the images that it does not show. */
async function complete(ports: DocumentPorts, state: DocumentState): Promise<DocumentUpdate> {
  const kept = await takeOver(ports, state, { isProven: false });
  return { ...kept, ...(await attachImages(ports, { ...state, ...kept } as DocumentState)) };
}

/** Returns whether kept chapters leave nothing to write, so that the model is not called (X6). */
const isTakenOver = (state: DocumentState): boolean =>
  state.taken_over !== null &&
  state.messages.length === 0 &&
  state.validation_passed !== false &&
  state.last_error === null &&
  openFiles(state).length === 0;

/** D16: makes exactly one model call per step. Without a model, or if a person chose so (X13), rules write a chapter. */
export function agent(ports: DocumentPorts) {
  const byRules = writeChapter(ports);
  return async (given: DocumentState, config: RunnableConfig): Promise<DocumentUpdate> => {
    if (ports.offline || given.model_recovery.rules) return byRules(given, config);
    if (isTakenOver(given)) return { ...(await complete(ports, given)), generation_complete: true };
    const end = exhausted(given, ports);
    if (end) return end;
    const isTold = given.progress.calls === callsWithoutProgress(given);
    const state = { ...given, work_order_due: given.work_order_due || isTold };
    const tail = async () =>
      (await ports.manuscripts.tail(state.temp_md_path, TAIL_LINES)).slice(-TAIL_CHARACTERS);
    const workOrder = state.work_order_due
      ? [new HumanMessage(buildWorkOrder(state, await tail(), ports.settings))]
      : [];
    const known = [...state.messages, ...workOrder];
    const unseen = outdatedMessages(known);
    const conversation = known.filter((message) => !unseen.includes(message));
    const limits = { hasSummary: ports.settings.hasSummary };
    const tools = getTools(
      new ToolSession(state.session_id, ports, state.temp_md_path, stepKey(config), limits),
    );
    const asked = await askModel(ports, state, {
      messages: [new SystemMessage(ports.settings.systemPrompt), ...conversation],
      tools,
      effectKey: stepKey(config),
      ...(config.signal ? { signal: config.signal } : {}),
    });
    if ('update' in asked) return asked.update;
    const { messages, ...update } = readAnswer(withOwnId(asked.answer, stepKey(config)), state);
    const added = messages as BaseMessage[];
    return {
      ...update,
      ...(update.generation_complete ? await complete(ports, state) : {}),
      messages: [...changesOf(known, asked.prompt, added), ...workOrder, ...added],
      work_order_due: false,
      agent_steps: state.agent_steps + 1,
      progress: { ...state.progress, calls: state.progress.calls + 1 },
      status: 'processing',
    };
  };
}
