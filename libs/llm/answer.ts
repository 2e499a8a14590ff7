import { isObject, jsonOf } from '#contracts/lenient.js';
import { randomBytes } from 'node:crypto';
import { AIMessage, type AIMessageChunk, type UsageMetadata } from '@langchain/core/messages';
import { answerTooLong } from './bounded-fetch.js';
import { withoutThinking } from './thinking.js';
import {
  continueFields,
  DELTA_FIELDS,
  opaqueOfCall,
  storedFields,
  type OpaqueFields,
} from './wire/opaque-fields.js';
import { parseRepaired } from './wire/repaired-json.js';
import type { ToolCall, InvalidToolCall, ToolCallChunk } from '@langchain/core/messages/tool';

/** Maximum number of characters of text and arguments; no model's answer is as long. */
const MAX_LENGTH = 8_000_000;

interface OpenCall {
  index: number | undefined;
  id: string | undefined;
  name: string;
  args: string[];
  /** Fields of the server's own. */
  fields: Record<string, unknown>;
}

/**
 * Assembles an answer from its streamed chunks, in time linear in their number. Servers stream parallel calls
 * differently: the index may be missing or always 0, and ID and name may come once or in every chunk.
 */
export class AnswerBuilder {
  private readonly text: string[] = [];
  private readonly calls: OpenCall[] = [];
  private readonly fields: Record<string, unknown> = {};
  private length = 0;
  private id: string | undefined;
  usage: UsageMetadata | undefined;
  modelName: string | undefined;
  finishReason: string | undefined;
  /** Words of a refusal that the server sent separately from the text. */
  refusal = '';

  /** True if the server sent reasoning apart from the text. */
  get hasReasoning(): boolean {
    return Object.keys(this.fields).some((name) => name.startsWith('reasoning') || name === 'thinking');
  }

  /** True if the text contains reasoning. */
  get hasThoughtsInText(): boolean {
    const text = this.text.join('');
    return withoutThinking(text) !== text;
  }

  /**
   * @returns the text that the chunk adds
   * @throws ModelError `model_answer_too_long`
   */
  add(chunk: AIMessageChunk): string {
    this.id ??= chunk.id;
    this.usage = chunk.usage_metadata ?? this.usage;
    const { model_name, finish_reason } = chunk.response_metadata as {
      model_name?: unknown;
      finish_reason?: unknown;
    };
    if (typeof model_name === 'string' && model_name !== '') this.modelName = model_name;
    if (typeof finish_reason === 'string') this.finishReason = finish_reason;
    const {
      [DELTA_FIELDS]: more = {},
      tool_calls: raw = [],
      refusal = '',
    } = chunk.additional_kwargs as {
      [DELTA_FIELDS]?: Record<string, unknown>;
      tool_calls?: object[];
      refusal?: string;
    };
    this.refusal += refusal;
    this.lengthen(refusal.length);
    this.addFields(this.fields, more);
    for (const [at, part] of (chunk.tool_call_chunks ?? []).entries()) this.addCall(part, raw[at] ?? {});
    const { text } = chunk;
    if (text !== '') this.text.push(text);
    this.lengthen(text.length);
    return text;
  }

  private addFields(fields: Record<string, unknown>, more: Record<string, unknown>): void {
    if (Object.keys(more).length === 0) return;
    this.lengthen(JSON.stringify(more).length);
    continueFields(fields, more);
  }

  /** @param raw the part as the server sent it */
  private addCall(part: ToolCallChunk, raw: object): void {
    const call = this.callOf(part);
    this.addFields(call.fields, opaqueOfCall(raw));
    call.id ??= part.id || undefined;
    if (call.name === '') call.name = part.name ?? '';
    call.args.push(part.args ?? '');
    this.lengthen(part.args?.length ?? 0);
  }

  private lengthen(by: number): void {
    this.length += by;
    if (this.length > MAX_LENGTH) throw answerTooLong();
  }

  private callOf(part: ToolCallChunk): OpenCall {
    const last = this.calls.at(-1);
    const sameIndex =
      part.index === undefined ? last : this.calls.findLast((call) => call.index === part.index);
    const isOther =
      part.id !== undefined && part.id !== '' && sameIndex?.id !== undefined && sameIndex.id !== part.id;
    if (sameIndex !== undefined && !isOther && !isNext(sameIndex, part)) return sameIndex;
    const call: OpenCall = { index: part.index, id: undefined, name: '', args: [], fields: {} };
    this.calls.push(call);
    return call;
  }

  /**
   * Builds the message. Calls whose arguments are not a JSON object go to `invalid_tool_calls`, for the
   * caller to answer.
   */
  build(): AIMessage {
    const calls: ToolCall[] = [];
    const invalid: InvalidToolCall[] = [];
    const fields: OpaqueFields = { message: this.fields, calls: {} };
    const ids = new Set<string>();
    for (const { id: given, name, args, fields: ofCall } of this.calls) {
      // Some servers repeat an ID, which others refuse in a conversation.
      const id = given === undefined || ids.has(given) ? newCallId() : given;
      ids.add(id);
      if (Object.keys(ofCall).length > 0) fields.calls[id] = ofCall;
      const json = args.join('');
      const parsed = parseArguments(json);
      if (typeof parsed === 'string')
        invalid.push({ type: 'invalid_tool_call', id, name, args: json, error: parsed });
      else calls.push({ type: 'tool_call', id, name, args: parsed });
    }
    return new AIMessage({
      ...(this.id === undefined ? {} : { id: this.id }),
      content: this.text.join(''),
      tool_calls: calls,
      invalid_tool_calls: invalid,
      additional_kwargs: storedFields(fields),
      ...(this.usage === undefined ? {} : { usage_metadata: this.usage }),
      response_metadata: { model_name: this.modelName, finish_reason: this.finishReason },
    });
  }
}

/** Returns an ID in the narrowest form that a known server requires: nine letters and digits. */
export const newCallId = (): string => randomBytes(5).toString('hex').slice(0, 9);

/** Returns whether a part without an ID begins another call: servers may send no index, or always 0. */
function isNext({ name, args }: OpenCall, part: ToolCallChunk): boolean {
  if (part.id || !part.name || name === '') return false;
  return part.name !== name || (Boolean(part.args) && isObject(jsonOf(args.join(''))));
}

/** Arguments may be encoded twice. */
function parseArguments(json: string): Record<string, unknown> | string {
  if (json.trim() === '' || json.trim() === 'null') return {};
  const value = jsonOf(json);
  const args = typeof value === 'string' ? jsonOf(value) : (value ?? parseRepaired(json));
  if (isObject(args)) return args;
  if (value !== undefined) return 'The arguments must be a JSON object.';
  return 'The arguments are not valid JSON, or not complete.';
}
