import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAI } from '@langchain/openai';
import { boundedFetch } from './bounded-fetch.js';
import { ReportingCompletions } from './reporting-completions.js';

/** The settings `OPENAI_*` (B23); any server that speaks the OpenAI API will do. */
export interface ChatModelConfig {
  apiKey: string;
  baseUrl?: string;
  model?: string;
  /** For planning and review; the model itself when not set. */
  fastModel?: string;
  temperature?: number;
  /** Longest silence of the server. */
  timeoutMs?: number;
  /** Longest answer of `bounded`, in tokens. */
  maxOutputTokens?: number;
}

export interface ChatModel {
  model: BaseChatModel;
  fastModel: BaseChatModel;
  /** The model with a limit to its answers, for calls under a budget. */
  bounded: BaseChatModel;
  boundedFast: BaseChatModel;
  /** How the model is named in runs, events and the terminal; a tenant need not know where it runs. */
  label: string;
  fastLabel: string;
  /** True for a writer that works by rules and is no model. */
  offline: boolean;
}

const OPENAI = 'https://api.openai.com/v1';

/** A writer by rules in the place of a model, for an installation that has none. */
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
 * The chat model of this installation, of any OpenAI-compatible server. Retries are `callModel`'s.
 *
 * @throws Error when no model is named
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
  // Reasoning models refuse every temperature but their own.
  const isReasoning = /^(?:.*\/)?(?:o\d|gpt-5)/.test(name);
  const fields = {
    apiKey: config.apiKey,
    model: name,
    ...(config.temperature === undefined || isReasoning ? {} : { temperature: config.temperature }),
    ...(config.timeoutMs === undefined ? {} : { timeout: config.timeoutMs }),
    streamUsage: true,
    maxRetries: 0,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    // The client would write parts of answers to standard error.
    configuration: { baseURL: baseUrl, maxRetries: 0, fetch: boundedFetch, logLevel: 'off' as const },
  };
  return new ChatOpenAI({ ...fields, completions: new ReportingCompletions(fields) });
}
