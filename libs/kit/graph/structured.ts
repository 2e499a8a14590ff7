import { operationPhrase } from '#contracts/phrases/parts.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { RunFailure } from '#engine/kind.js';
import { withoutOuterFence } from '#markdown/fences.js';
import { parseRepaired } from '#llm/wire/repaired-json.js';
import { fenceStart } from '#markdown/lines.js';
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { ModelFailure, type ModelPort } from './ports.js';
import { withFewerPassages } from './passages.js';

/**
 * Extracts JSON from an answer, even between other words or in a code fence, and validates it. Repairs what
 * models get wrong: curly quotes, trailing commas, line breaks in strings, and a list in place of the object
 * that contains only it.
 *
 * @throws Error that explains to the model what is wrong
 */
export function readJson<S extends z.ZodType>(schema: S, answer: string): z.infer<S> {
  const candidates = valuesIn(answer);
  if (candidates.length === 0) throw new Error('it holds no JSON.');
  let problem: z.ZodError | undefined;
  // The longest value is the answer; shorter ones may be citations or examples.
  for (const text of candidates.sort((a, b) => b.length - a.length)) {
    const value = parseRepaired(text);
    if (value === undefined) continue;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const wrapped = wrapList(schema, value);
    if (wrapped) return wrapped.data as z.infer<S>;
    problem ??= parsed.error;
  }
  if (problem === undefined) throw new Error('its JSON is not complete or not valid.');
  const issues = problem.issues.slice(0, 8).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`its JSON does not fit: ${issues.join('; ')}`);
}

/** Returns the outermost objects and lists of a text; the last may lack its end. */
function valuesIn(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (isString && char === '\\') at++;
    else if (depth > 0 && char === '"') isString = !isString;
    else if (!isString && (char === '{' || char === '[')) {
      if (depth++ === 0) start = at;
    } else if (!isString && depth > 0 && (char === '}' || char === ']')) {
      if (--depth === 0) found.push(text.slice(start, at + 1));
    }
  }
  return depth > 0 ? [...found, text.slice(start)] : found;
}

/** Puts a bare list into the only field of the schema that accepts it. */
function wrapList(schema: z.ZodType, value: unknown) {
  if (!Array.isArray(value) || !(schema instanceof z.ZodObject)) return null;
  const fits = Object.keys(schema.shape).flatMap((key) => {
    const parsed = schema.safeParse({ [key]: value });
    return parsed.success ? [parsed] : [];
  });
  return fits.length === 1 ? fits[0]! : null;
}

/** One request to the model: its prompts, the parser of its answer, and the model tier. */
export interface Operation<T> {
  /** Name such as `plan_chapter` (B13); also the stage that is reported if the fallback was used. */
  name: string;
  system: string;
  prompt: string;
  tier: 'main' | 'fast';
  /** Schema of an answer in JSON, for servers that can constrain answers. */
  schema?: z.ZodType;
  /**
   * Parses an answer.
   *
   * @throws Error with an explanation for the model if the answer is unusable; RunFailure ends the run instead
   */
  read(answer: string): T | Promise<T>;
}

/**
 * Asks the model, and asks for one correction if the answer is unusable. An answer that was cut at the
 * model's length limit is continued once; if it is cut again, it is not used. If the prompt is longer than the
 * model accepts, it is sent with half of its passages, as often as needed.
 *
 * So a person is asked after at most four answers without a result. The graphs that ask this way (book, article, plan)
 * repeat a node only for a new result: further parts of an outline, a limited round of research, at most two revisions
 * or three replans. They cannot make many calls without progress, unlike the document agent, whose model chooses the
 * next step itself and has `libs/document/graph/progress.ts` (`test/e2e/careless-models.spec.ts`).
 *
 * @param effectKey identifies the step, so that its usage is counted once
 * @throws ModelFailure if the model call fails, `model_answer_cut`, or `model_answer_unusable` if both answers
 * were unusable (B13), BudgetExceededError, or the signal's reason
 */
export async function ask<T>(
  model: ModelPort,
  operation: Operation<T>,
  effectKey: string,
  signal: AbortSignal | undefined,
): Promise<T> {
  const messages: BaseMessage[] = [new SystemMessage(operation.system), new HumanMessage(operation.prompt)];
  let { prompt } = operation;
  const callOnce = (more: BaseMessage[], part: string) =>
    model.call({
      messages: [...messages, ...more],
      tools: [],
      tier: operation.tier,
      operation: operation.name,
      ...(operation.schema ? { schema: { name: operation.name, schema: operation.schema } } : {}),
      effectKey: `${effectKey}/${operation.name}${part}`,
      ...(signal ? { signal } : {}),
    });
  const call = async (more: BaseMessage[], part: string): Promise<AIMessage> => {
    try {
      return await callOnce(more, part);
    } catch (error) {
      const isTooLong = error instanceof ModelFailure && error.code === 'model_prompt_too_long';
      const shorter = isTooLong ? withFewerPassages(prompt) : null;
      if (shorter === null) throw error;
      prompt = shorter;
      messages[1] = new HumanMessage(prompt);
      return call(more, `${part}/shorter`);
    }
  };
  let wasCut = false;
  let reason = '';
  for (const attempt of ['', '/correction']) {
    const reply = await call([], attempt);
    const complete = isCut(reply) ? completeParagraphs(reply.text) : null;
    const rest = complete === null ? null : await call(askForRest(complete), `${attempt}/rest`);
    wasCut = isCut(rest ?? reply);
    if (rest && wasCut) break;
    const answer = rest ? joinRest(complete!, withoutAnnouncement(rest.text)) : reply.text;
    try {
      if (wasCut) throw new Error('it was cut off at the length limit. Give a shorter one.');
      return await operation.read(answer);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RunFailure) throw error;
      reason = error instanceof Error ? error.message.slice(0, 1_000) : 'it could not be read.';
      messages.push(new AIMessage(answer.slice(0, 4_000) || '(empty)'), correction(reason));
    }
  }
  if (wasCut)
    throw new ModelFailure(
      'model_answer_cut',
      phrase('model_failure.model_answer_cut', { operation: operationPhrase(operation.name) }),
    );
  throw new ModelFailure(
    'model_answer_unusable',
    phrase('model_failure.model_answer_unusable', {
      operation: operationPhrase(operation.name),
      reason: reason.slice(0, 300),
    }),
  );
}

function correction(why: string): HumanMessage {
  return new HumanMessage(
    `Your answer cannot be used: ${why}\nAnswer again, in the form that was asked for and with nothing else.`,
  );
}

const REFUSAL = /^\s*(?:I['’]?m sorry|I am sorry|Sorry,|I can(?:not|['’]t)|As an AI|Unfortunately, I)/i;

/** Reads markdown prose that begins with a heading. @throws as {@link readProse} */
export const readSections = (answer: string): string => `${withoutOpening(readProse(answer))}\n`;

/** Reads markdown prose. @throws Error if the answer is empty, a refusal, or repeats a paragraph */
export function readProse(answer: string): string {
  const words = withoutChatter(answer.replaceAll('\u0000', '').toWellFormed());
  const text = withoutChatter(withoutOuterFence(words));
  if (text === '') throw new Error('it is empty.');
  if (text.length < 2_000 && REFUSAL.test(text))
    throw new Error('it refuses. Write the text from the passages given.');
  const counts = new Map<string, number>();
  for (const paragraph of text.split(/\n\s*\n/)) {
    const times = (counts.get(paragraph) ?? 0) + 1;
    if (times > 3 && paragraph.length > 40) throw new Error('it repeats one paragraph over and over.');
    counts.set(paragraph, times);
  }
  return `${text}\n`;
}

/** Returns whether the model stopped at its length limit instead of ending its answer. */
export function isCut({ response_metadata: metadata }: AIMessage): boolean {
  const { finish_reason: reason } = metadata as { finish_reason?: unknown };
  return reason === 'length' || reason === 'max_tokens';
}

/**
 * Returns the complete paragraphs of a cut text; null without any, and for JSON, which cannot be continued
 * safely.
 */
function completeParagraphs(text: string): string | null {
  if (/^\s*(?:```(?:json)?\s*)?[{[]/.test(text)) return null;
  const end = text.trimEnd().lastIndexOf('\n\n');
  const complete = text.slice(0, Math.max(end, 0)).trimEnd();
  return complete === '' ? null : complete;
}

/** Returns the messages that ask the model to continue after the complete paragraphs of a cut text. */
function askForRest(complete: string): BaseMessage[] {
  const last = complete
    .slice(complete.lastIndexOf('\n') + 1)
    .slice(-200)
    .toWellFormed();
  return [
    new AIMessage(complete),
    new HumanMessage(
      `Your answer was cut off at the length limit. The part above is kept; it ends with: "${last}"\nWrite what follows it, up to the end. Start with the next paragraph. Do not repeat anything, and add no introduction.`,
    ),
  ];
}

/**
 * Joins a text and its continuation. A repeated last paragraph at the start of the continuation is removed.
 */
function joinRest(complete: string, rest: string): string {
  const last = complete.slice(complete.lastIndexOf('\n\n') + 1).trim();
  const behind = rest.trimStart();
  return `${complete}\n\n${behind.startsWith(last) ? behind.slice(last.length).trimStart() : behind}`;
}

/** Maximum length of a chat model's remark before or after the requested text, in characters. */
const MAX_REMARK = 300;

/**
 * Removes a chat model's remarks around the requested text, by their form in any language: one before and after a
 * Markdown fence that contains the text, and a first line that ends with a colon, before a heading.
 */
export function withoutChatter(text: string): string {
  const answer = withoutFence(text.trim());
  const { line, rest } = firstLine(answer);
  return isAnnouncement(line) && isHeading(rest) ? rest : answer;
}

/** As {@link withoutChatter}, for a text that begins with a heading: removes any line before it that cites nothing. */
function withoutOpening(text: string): string {
  const answer = withoutChatter(text);
  const { line, rest } = firstLine(answer);
  const isRemark = line.length <= MAX_REMARK && !isHeading(line) && !line.includes('[^');
  return isRemark && isHeading(rest) ? rest : answer;
}

/** As {@link withoutChatter}, for the continuation of a text: removes a first line that announces a paragraph. */
function withoutAnnouncement(text: string): string {
  const answer = withoutChatter(text);
  const { line, rest } = firstLine(answer);
  return isAnnouncement(line) && /^[\p{L}\p{N}]/u.test(rest) ? rest : answer;
}

const isHeading = (text: string): boolean => /^#{1,6}[ \t]/.test(text);
const isAnnouncement = (line: string): boolean => line.length <= MAX_REMARK && /[:：]$/.test(line);

/** Returns the first line of a text, and what follows it. */
function firstLine(text: string): { line: string; rest: string } {
  const end = text.indexOf('\n');
  if (end < 0) return { line: text, rest: '' };
  return { line: text.slice(0, end).trim(), rest: text.slice(end).trim() };
}

/** Returns the content of a Markdown fence that has nothing but remarks around it; else the text. */
function withoutFence(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /^(?:markdown|md)$/i.test(fenceStart(line)?.info ?? ''));
  if (first < 0) return text;
  const last = lines.findLastIndex((line) => fenceStart(line) !== null);
  const around = [...lines.slice(0, first), ...lines.slice(last + 1)].join('\n').trim();
  return around.length > MAX_REMARK
    ? text
    : withoutOuterFence(lines.slice(first, last + 1).join('\n')).trim();
}
