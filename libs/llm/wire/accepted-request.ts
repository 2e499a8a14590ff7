import type { OpenAIClient } from '@langchain/openai';
import { opaqueOfCall, opaqueOfDelta } from './opaque-fields.js';

type Request = OpenAIClient.Chat.Completions.ChatCompletionCreateParams;

/** Requirements of a server for requests, learned from its answers with status 400 or 422. */
export class AcceptedRequest {
  private readonly dropped = new Set<string>();
  private readonly renamed = new Map<string, string>();
  /** The strictest way to ask for JSON that the server has not refused; null if it accepts none. */
  private format: 'json_schema' | 'json_object' | null = 'json_schema';
  /** Fields of messages that the server refuses. */
  readonly skippedFields = new Set<string>();
  /** Fields that the server requires of every message that calls tools. */
  readonly filledFields = new Set<string>();

  /** Returns the request without what the server refuses. */
  apply<R extends Request>(request: R): R {
    const entries = Object.entries({ ...request, response_format: this.formatOf(request) })
      .filter(([key, value]) => value !== undefined && !this.dropped.has(key))
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
    const { status, message, param } = error as Record<'status' | 'message' | 'param', unknown>;
    if (status !== 400 && status !== 422) return false;
    const text = `${typeof param === 'string' ? param : ''} ${typeof message === 'string' ? message : ''}`;
    return (
      this.learnFormat(text, request) || this.learnField(text, request) || this.learnParameter(text, request)
    );
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
}

/** Matches a server's message about an answer format that it does not support. */
const ABOUT_FORMAT = /response_?format|json[_ ]?(?:schema|object|mode)|structured output|guided|grammar/i;

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

const learned = new Map<string, AcceptedRequest>();

/** Returns what this process has learned about a model of a server. */
export function acceptedBy(baseUrl: string, model: string): AcceptedRequest {
  const key = JSON.stringify([baseUrl, model]);
  const known = learned.get(key) ?? new AcceptedRequest();
  learned.set(key, known);
  return known;
}
