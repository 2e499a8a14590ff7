import { randomBytes } from 'node:crypto';
import { AIMessage, type AIMessageChunk, type UsageMetadata } from '@langchain/core/messages';
import { answerTooLong } from './model-error.js';
import { calledName, type CallableTools } from './callable-tools.js';
import { withoutThinking } from './thinking.js';
import {
  continueFields,
  DELTA_FIELDS,
  opaqueOfCall,
  storedFields,
  type OpaqueFields,
} from './wire/opaque-fields.js';
import { CallArguments } from './wire/repaired-json.js';
import type { ToolCall, InvalidToolCall, ToolCallChunk } from '@langchain/core/messages/tool';

/** Maximum number of characters of text and arguments; no model's answer is as long. */
const MAX_LENGTH = 8_000_000;

interface OpenCall {
  index: number | undefined;
  id: string | undefined;
  name: string;
  args: CallArguments;
  /** Fields of the server's own. */
  fields: Record<string, unknown>;
}

/**
 * Assembles an answer from its streamed chunks, in time linear in their number. Servers stream parallel calls
 * differently: the index may be missing or always 0, ID and name may come once or in every chunk, and the ID may change.
 */
export class AnswerBuilder {
  private readonly text: string[] = [];
  private readonly calls: OpenCall[] = [];
  private readonly fields: Record<string, unknown> = {};
  private length = 0;
  private id: string | undefined;
  usage: UsageMetadata | undefined;
  /** The usage as the server sent it. */
  sentUsage: unknown;
  modelName: string | undefined;
  finishReason: string | undefined;
  /** Words of a refusal that the server sent separately from the text. */
  refusal = '';

  constructor(private readonly tools: CallableTools = new Map()) {}

  /** Reasoning that the server sent apart from the text. */
  get reasoning(): string {
    return Object.entries(this.fields)
      .filter(([name]) => name.startsWith('reasoning') || name === 'thinking')
      .map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value)))
      .join('\n');
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
    call.name = (part.name && this.longerName(call, part.name)) || call.name;
    call.args.add(part.args ?? '');
    this.lengthen(part.args?.length ?? 0);
  }

  private lengthen(by: number): void {
    this.length += by;
    if (this.length > MAX_LENGTH) throw answerTooLong();
  }

  private callOf(part: ToolCallChunk): OpenCall {
    const { index, name } = part;
    const same =
      index === undefined ? this.calls.at(-1) : this.calls.findLast((call) => call.index === index);
    const open = same ?? (name ? undefined : this.calls.at(-1));
    if (open !== undefined && !this.isNext(open, part)) return open;
    const call: OpenCall = { index, id: undefined, name: '', args: new CallArguments(), fields: {} };
    this.calls.push(call);
    return call;
  }

  /** Returns whether a part begins another call. Only the name tells: IDs may be missing or change. */
  private isNext(open: OpenCall, { id, name, args = '' }: ToolCallChunk): boolean {
    const hasSameId = Boolean(id) && id === open.id;
    if (!name || open.name === '' || hasSameId) return false;
    if (name !== open.name) return this.longerName(open, name) === null;
    if (!open.args.mayEndBefore(args)) return false;
    const accepts = this.accepts(open.name);
    const read = open.args.read(accepts);
    return typeof read !== 'string' && accepts(read);
  }

  /** Returns the name of a call after a further part of it; null if the part is another name. */
  private longerName({ name, args }: OpenCall, part: string): string | null {
    if (name === '') return part;
    if (this.tools.has(name) || !args.isEmpty) return null;
    const names = [...this.tools.keys()];
    const isBegun = (begun: string) => names.some((tool) => tool.startsWith(begun));
    return [part, `${name}${part}`].find((longer) => longer.startsWith(name) && isBegun(longer)) ?? null;
  }

  /** Returns whether a part only repeated the name of the call before it, and has no arguments that its tool needs. */
  private repeatsName(call: OpenCall, before: OpenCall | undefined): boolean {
    const isSame = before?.name === call.name && before.index === call.index;
    return isSame && call.args.isEmpty && !this.accepts(call.name)({});
  }

  private accepts(name: string): (args: Record<string, unknown>) => boolean {
    return this.tools.get(calledName(name, this.tools)) ?? (() => true);
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
    const seen = new Set<string>();
    for (const [at, call] of this.calls.entries()) {
      if (this.repeatsName(call, this.calls[at - 1])) continue;
      const { index, id: given, name: sent, args: sentArgs, fields: ofCall } = call;
      const name = calledName(sent, this.tools);
      const args = sentArgs.read(this.accepts(sent));
      // Some servers send a call again.
      const content = JSON.stringify([index ?? given, name, args]);
      if (typeof args !== 'string' && seen.has(content)) continue;
      seen.add(content);
      // Some servers repeat an ID, which others refuse in a conversation.
      const id = given === undefined || ids.has(given) ? newCallId() : given;
      ids.add(id);
      if (Object.keys(ofCall).length > 0) fields.calls[id] = ofCall;
      if (typeof args === 'string')
        invalid.push({ type: 'invalid_tool_call', id, name, args: sentArgs.text, error: args });
      else calls.push({ type: 'tool_call', id, name, args });
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
