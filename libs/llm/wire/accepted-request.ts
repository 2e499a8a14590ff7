import type { OpenAIClient } from '@langchain/openai';
import { z } from 'zod';
import { isObject } from '#contracts/lenient.js';
import { adaptationFor, adaptationNames, type AdaptationName } from './adaptations.js';
import { saysModelsMistake } from '../refusal-words.js';
import { opaqueOfCall, opaqueOfDelta } from './opaque-fields.js';

type Request = OpenAIClient.Chat.Completions.ChatCompletionCreateParams;
type Tool = OpenAIClient.Chat.Completions.ChatCompletionTool;

/** Stored form of what requests taught about the server. */
export const acceptedRequestSchema = z.object({
  dropped: z.array(z.string()),
  renamed: z.record(z.string(), z.string()),
  format: z.enum(['json_schema', 'json_object']).nullable(),
  skipped_fields: z.array(z.string()),
  filled_fields: z.array(z.string()),
  answer_tokens: z.number().int().nullable(),
  // Profiles of older releases lack it.
  adaptations: z.array(z.enum(adaptationNames)).default([]),
});
type StoredRequest = z.infer<typeof acceptedRequestSchema>;

/** Fields that a server refuses or requires in a request, learned from its answers with status 400, 422, or 500 of a chat template. */
export class AcceptedRequest {
  private readonly dropped = new Set<string>();
  private readonly renamed = new Map<string, string>();
  /** The strictest way to ask for JSON that the server has not refused; null if it accepts none. */
  format: 'json_schema' | 'json_object' | null = 'json_schema';
  /** Maximum tokens of an answer that the server named when it refused more. */
  answerTokens: number | null = null;
  /** Fields of messages that the server refuses. */
  readonly skippedFields = new Set<string>();
  /** Fields that the server requires of every message that calls tools. */
  readonly filledFields = new Set<string>();

  /** Changes of conversations that the server asked for. */
  readonly adaptations = new Set<AdaptationName>();

  /** @param onLearned called after each lesson */
  constructor(private readonly onLearned: () => void = () => undefined) {}

  /** Returns the stored form of the learned facts. */
  stored(): StoredRequest {
    return {
      dropped: [...this.dropped],
      renamed: Object.fromEntries(this.renamed),
      format: this.format,
      skipped_fields: [...this.skippedFields],
      filled_fields: [...this.filledFields],
      answer_tokens: this.answerTokens,
      adaptations: [...this.adaptations],
    };
  }

  /** Replaces the learned facts by stored ones. */
  restore(stored: StoredRequest): void {
    for (const set of [this.dropped, this.renamed, this.skippedFields, this.filledFields, this.adaptations])
      set.clear();
    for (const name of stored.dropped) this.dropped.add(name);
    for (const [from, to] of Object.entries(stored.renamed)) this.renamed.set(from, to);
    for (const name of stored.skipped_fields) this.skippedFields.add(name);
    for (const name of stored.filled_fields) this.filledFields.add(name);
    for (const name of stored.adaptations) this.adaptations.add(name);
    this.format = stored.format;
    this.answerTokens = stored.answer_tokens;
  }

  /** Returns the request without the parts that the server refuses. */
  apply<R extends Request>(request: R): R {
    const entries = Object.entries({
      ...request,
      response_format: this.formatOf(request),
      max_tokens: this.limitOf(request),
      tools: request.tools?.map((tool) => this.toolOf(tool)),
    })
      .filter(([key, value]) => value !== undefined && !this.isDropped(key))
      .map(([key, value]) => [this.renamed.get(key) ?? key, value as unknown] as const);
    return Object.fromEntries(entries) as unknown as R;
  }

  /**
   * Learns from a refused request.
   *
   * @param request as it was sent
   * @returns whether another attempt differs from the refused one
   */
  learn(error: unknown, request: Request): boolean {
    const { status, message, param, code } = error as Record<
      'status' | 'message' | 'param' | 'code',
      unknown
    >;
    const isTemplate = status === 500 && /jinja|template/i.test(String(message));
    if (status !== 400 && status !== 422 && !isTemplate) return false;
    if (saysModelsMistake(code, String(message))) return false;
    // OpenAI's client puts the status before the message.
    const words = typeof message === 'string' ? message.replace(/^\d{3} /, '') : '';
    const text = `${typeof param === 'string' ? param : ''} ${words}`;
    const hasLearned =
      this.learnAdaptation(text, request) ||
      this.learnFormat(text, request) ||
      this.learnField(text, request) ||
      this.learnLimit(text, request) ||
      this.learnParameter(text, request) ||
      this.learnNoStream(text, request) ||
      this.learnNoEmptyParameters(text, request) ||
      this.learnPlainTools(text, request);
    if (hasLearned) this.onLearned();
    return hasLearned;
  }

  private toolOf(tool: Tool): Tool {
    const plain = this.dropped.has(TOOL_DETAILS) ? withoutDetails(tool) : tool;
    return this.dropped.has(EMPTY_PARAMETERS) && isEmpty(plain) ? withoutParameters(plain) : plain;
  }

  /** Returns whether a parameter is omitted; `stream_options` requires `stream`. */
  private isDropped(key: string): boolean {
    return this.dropped.has(key) || (key === 'stream_options' && this.dropped.has('stream'));
  }

  private learnAdaptation(text: string, { messages }: Request): boolean {
    const name = adaptationFor(text, messages, this.adaptations);
    if (name !== null) this.adaptations.add(name);
    return name !== null;
  }

  private limitOf({ max_tokens: wanted }: Request): number | undefined {
    return typeof wanted === 'number' ? Math.min(wanted, this.answerTokens ?? wanted) : undefined;
  }

  /** Learns the maximum length of an answer from the numbers of a refusal; without one, half of what was sent. */
  private learnLimit(text: string, request: Request): boolean {
    const name = LIMITS.find((key) => typeof request[key] === 'number');
    const sent = name && request[name];
    if (!sent || !ABOUT_LIMIT.test(text) || !(names(text, name) || ABOUT_ANSWER.test(text))) return false;
    const lower = [...text.replace(/(\d),(?=\d{3})/g, '$1').matchAll(/(?<![\w-])(\d{1,9})( ?k)?(?![\w-])/gi)]
      .map(([, digits, thousands]) => Number(digits) * (thousands ? 1_000 : 1))
      .filter((number) => number < sent && number >= LEAST_LIMIT);
    const half = Math.floor(sent / 2);
    if (lower.length === 0 && half < LEAST_LIMIT) return false;
    // The server may have named the smallest forbidden number.
    this.answerTokens = lower.length > 0 ? Math.max(...lower) - 1 : half;
    return true;
  }

  private formatOf({ response_format: wanted }: Request): Request['response_format'] {
    if (wanted?.type !== 'json_schema') return wanted;
    if (this.format === 'json_schema') return wanted;
    return this.format === null ? undefined : { type: this.format };
  }

  private learnFormat(text: string, { response_format: sent }: Request): boolean {
    if (!sent || !ABOUT_FORMAT.test(text)) return false;
    this.format = sent.type === 'json_schema' ? 'json_object' : null;
    return true;
  }

  private learnNoEmptyParameters(text: string, { tools = [] }: Request): boolean {
    if (!ABOUT_PARAMETERS.test(text) || !tools.some(isEmpty)) return false;
    this.dropped.add(EMPTY_PARAMETERS);
    return true;
  }

  /** Learns that the schemas of tools are too much for the server's grammar. */
  private learnPlainTools(text: string, { tools = [] }: Request): boolean {
    if (!ABOUT_TOOLS.test(text) || tools.length === 0 || this.dropped.has(TOOL_DETAILS)) return false;
    this.dropped.add(TOOL_DETAILS);
    return true;
  }

  private learnField(text: string, request: Request): boolean {
    const sent = new Set(request.messages.flatMap(fieldNames));
    for (const name of sent)
      if (!this.skippedFields.has(name) && names(text, name)) {
        this.filledFields.delete(name);
        this.skippedFields.add(name);
        return true;
      }
    const [, required] = /\b(reasoning_content)\b/.exec(text) ?? [];
    if (required === undefined || this.filledFields.has(required) || this.skippedFields.has(required))
      return false;
    this.filledFields.add(required);
    return true;
  }

  private learnParameter(text: string, request: Request): boolean {
    const name = Object.keys(request).find((key) => !REQUIRED.has(key) && names(text, key));
    if (name === undefined) return false;
    const original = [...this.renamed].find(([, to]) => to === name)?.[0] ?? name;
    const other = OTHER_NAMES[original];
    if (other !== undefined && original === name) this.renamed.set(original, other);
    else this.dropped.add(original);
    return true;
  }

  /** Some servers do not stream, or not for each account. */
  private learnNoStream(text: string, { stream }: Request): boolean {
    if (!stream || !/\bstream(?:ing|ed)?\b/i.test(text)) return false;
    this.dropped.add('stream');
    return true;
  }
}

/** Matches a server's message about an answer format that it does not support. */
const ABOUT_FORMAT =
  /response_?format|json[_ ]?(?:schema|object|mode)|structured output|guided|grammar|response.mime.type|response_schema|too many states/i;

/** Entry among the dropped parameters for the empty schemas of tools without parameters. */
const EMPTY_PARAMETERS = 'tools.parameters';
/** Entry for descriptions and enumerations within the schemas of tools. */
const TOOL_DETAILS = 'tools.details';
const ABOUT_PARAMETERS = /\bproperties\b|\bparameters\b|input_schema|non-empty for OBJECT/i;
const ABOUT_TOOLS = /grammar|\bsamplers?\b|\bschemas?\b|too complex|too many states/i;

function isEmpty(tool: Tool): boolean {
  if (tool.type !== 'function' || tool.function.parameters === undefined) return false;
  return Object.keys((tool.function.parameters['properties'] as object | undefined) ?? {}).length === 0;
}

function withoutParameters(tool: Tool): Tool {
  if (tool.type !== 'function') return tool;
  const { parameters: _, ...rest } = tool.function;
  return { ...tool, function: rest };
}

function withoutDetails(tool: Tool): Tool {
  if (tool.type !== 'function' || tool.function.parameters === undefined) return tool;
  return { ...tool, function: { ...tool.function, parameters: plainSchema(tool.function.parameters) } };
}

/** Returns a schema with types and names only. */
function plainSchema({
  type,
  properties,
  items,
  required,
}: Record<string, unknown>): Record<string, unknown> {
  const plain = (value: unknown) => (isObject(value) ? plainSchema(value) : {});
  return {
    ...(type !== undefined && { type }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, plain(value)])),
    }),
    ...(items !== undefined && { items: plain(items) }),
    ...(required !== undefined && { required }),
  };
}

/** Matches the messages of servers about a number that is too large. */
const ABOUT_LIMIT = /at most|maximum|range|too large|less than|up to|exceed|limit/i;
const ABOUT_ANSWER = /\b(?:output|completion|new|generated) tokens|(?:output|completion|generation) length/i;
const LIMITS = ['max_tokens', 'max_completion_tokens'] as const;
/** No model's answers are limited to less; smaller numbers of a message are something else. */
const LEAST_LIMIT = 256;
const REQUIRED = new Set(['model', 'messages', 'stream', 'tools']);
/** Parameters that have another name at some servers. */
const OTHER_NAMES: Record<string, string> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

const names = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w-])${name.replace(/[^\w]/g, '\\$&')}(?![\\w-])`).test(text);

/** Returns the names of the unusual fields of a message and its tool calls. */
function fieldNames(message: object): string[] {
  const { tool_calls: calls = [] } = message as { tool_calls?: object[] };
  return [opaqueOfDelta(message), ...calls.map(opaqueOfCall)].flatMap((fields) => Object.keys(fields));
}
