import { OFFLINE_WRITER } from '#contracts/offline-writer.js';
import { randomUUID } from 'node:crypto';
import { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { readConversation, type Conversation } from './conversation.js';
import { nextStep } from './next-step.js';
import { renderNote } from './note.js';
import { silentChunk } from '#llm/silent.js';
import { finish, type WriterStep } from './writer-step.js';

const NO_ORDER = 'I write documents from work orders only, and there is none in this conversation.';

/** Computes the next step. Its time depends on the sources, so services run it in a thread. */
export type ScribeStep = (conversation: Conversation, signal?: AbortSignal) => Promise<WriterStep>;

/**
 * Offline writer: a rule-based chat model that uses the same tool calls. It needs no network, is
 * deterministic (except for the ids of its calls), and is stateless between calls.
 */
export class OfflineScribe extends BaseChatModel {
  /** @param step `nextStep`, or a function that runs it elsewhere */
  constructor(private readonly step: ScribeStep = async (conversation) => nextStep(conversation)) {
    super({});
  }

  override _llmType(): string {
    return 'offline-scribe';
  }

  override bindTools(
    _tools: BindToolsInput[],
    kwargs?: Partial<BaseChatModelCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk> {
    return this.withConfig(kwargs ?? {});
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    options.signal?.throwIfAborted();
    const message = await this.answer(messages, options.signal);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    options.signal?.throwIfAborted();
    const message = await this.answer(messages, options.signal);
    const calls = message.tool_calls ?? [];
    const noteAt = message.text.lastIndexOf('\n[scribe ');
    const sentence = noteAt < 0 ? message.text : message.text.slice(0, noteAt);
    yield new ChatGenerationChunk({ message: new AIMessageChunk({ content: sentence }), text: sentence });
    await runManager?.handleLLMNewToken(sentence);
    const note = message.text.slice(sentence.length);
    if (note !== '') yield new ChatGenerationChunk({ message: silentChunk(note), text: note });
    const rest = new AIMessageChunk({
      content: '',
      tool_call_chunks: calls.map((call, index) => ({
        type: 'tool_call_chunk',
        index,
        id: call.id,
        name: call.name,
        args: JSON.stringify(call.args),
      })),
      usage_metadata: message.usage_metadata,
      response_metadata: message.response_metadata,
    });
    yield new ChatGenerationChunk({ message: rest, text: '' });
  }

  private async answer(messages: BaseMessage[], signal?: AbortSignal): Promise<AIMessage> {
    const conversation = readConversation(messages);
    const step = conversation === null ? finish(NO_ORDER) : await this.step(conversation, signal);
    return new AIMessage({
      content: step.calls.length === 0 ? step.sentence : renderNote(step.sentence, step.note),
      tool_calls: step.calls.map((call) => ({
        type: 'tool_call',
        id: `call_${randomUUID()}`,
        name: call.name,
        args: call.args,
      })),
      usage_metadata: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      response_metadata: {
        model_name: OFFLINE_WRITER,
        finish_reason: step.calls.length === 0 ? 'stop' : 'tool_calls',
      },
    });
  }
}
