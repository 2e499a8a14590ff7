import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAI } from '@langchain/openai';
import { boundedFetch } from './bounded-fetch.js';
import { WireCompletions } from './wire/completions.js';

/** The settings `OPENAI_*` (B23); any server with the OpenAI API works. */
export interface ChatModelConfig {
  apiKey: string;
  baseUrl?: string;
  model?: string;
  /** Model for planning and review; defaults to `model`. */
  fastModel?: string;
  temperature?: number;
  /** Maximum time without data from the server, in ms. */
  timeoutMs?: number;
  /** Maximum length of an answer of `bounded`, in tokens. */
  maxOutputTokens?: number;
}

export interface ChatModel {
  model: BaseChatModel;
  fastModel: BaseChatModel;
  /** The model with a length limit for answers, for calls under a budget. */
  bounded: BaseChatModel;
  boundedFast: BaseChatModel;
  /** Label in runs, events and the terminal. It does not name the server, which tenants need not know. */
  label: string;
  fastLabel: string;
  /** True for the offline writer. */
  offline: boolean;
}

const OPENAI = 'https://api.openai.com/v1';

/** Returns the offline writer as a chat model, for an installation without a model. */
export function offlineChatModel({ model, label }: { model: BaseChatModel; label: string }): ChatModel {
  return {
    model,
    fastModel: model,
    bounded: model,
    boundedFast: model,
    label,
    fastLabel: label,
    offline: true,
  };
}

/**
 * Connects to the configured chat model on any OpenAI-compatible server. `callModel` does the retries.
 *
 * @throws Error if the model's name is missing
 */
export function createChatModel(config: ChatModelConfig): ChatModel {
  if (!config.model) throw new Error('OPENAI_API_KEY is set, so OPENAI_MODEL has to name the model to use.');
  const baseUrl = config.baseUrl ?? OPENAI;
  const model = connect(config, baseUrl, config.model);
  const bounded = connect(config, baseUrl, config.model, config.maxOutputTokens);
  const fast = config.fastModel ?? config.model;
  const isSame = fast === config.model;
  const fastModel = isSame ? model : connect(config, baseUrl, fast);
  const boundedFast = isSame ? bounded : connect(config, baseUrl, fast, config.maxOutputTokens);
  return { model, fastModel, bounded, boundedFast, label: config.model, fastLabel: fast, offline: false };
}

function connect(config: ChatModelConfig, baseUrl: string, name: string, maxTokens?: number): ChatOpenAI {
  const fields = {
    apiKey: config.apiKey,
    model: name,
    ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
    ...(config.timeoutMs === undefined ? {} : { timeout: config.timeoutMs }),
    streamUsage: true,
    maxRetries: 0,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    // Otherwise the client would write parts of answers to standard error.
    configuration: { baseURL: baseUrl, maxRetries: 0, fetch: boundedFetch, logLevel: 'off' as const },
  };
  return new ChatOpenAI({ ...fields, completions: new WireCompletions(fields, baseUrl) });
}
