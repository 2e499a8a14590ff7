import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAI } from '@langchain/openai';
import { ReportingCompletions } from './reporting-completions.js';
import { OFFLINE_SCRIBE_LABEL, OfflineScribe } from '#kinds/document/offline-scribe/offline-scribe.js';

/** The settings `OPENAI_*` (B23); any server that speaks the OpenAI API will do. */
export interface ChatModelConfig {
  apiKey?: string;
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
  /** How the model is named in runs, events and the terminal; a tenant need not know where it runs. */
  label: string;
  /** True for the offline scribe, which is no model. */
  offline: boolean;
}

const OPENAI = 'https://api.openai.com/v1';

/**
 * The chat model of this installation: an OpenAI-compatible one when there is a key, else the offline scribe. Retries are `callModel`'s.
 *
 * @throws Error when a key is set but no model is named
 */
export function createChatModel(config: ChatModelConfig): ChatModel {
  if (!config.apiKey) {
    const scribe = new OfflineScribe();
    return { model: scribe, fastModel: scribe, bounded: scribe, label: OFFLINE_SCRIBE_LABEL, offline: true };
  }
  if (!config.model) throw new Error('OPENAI_API_KEY is set, so OPENAI_MODEL has to name the model to use.');
  const baseUrl = config.baseUrl ?? OPENAI;
  const model = connect(config, baseUrl, config.model);
  const fastModel = config.fastModel ? connect(config, baseUrl, config.fastModel) : model;
  const bounded = connect(config, baseUrl, config.model, config.maxOutputTokens);
  return { model, fastModel, bounded, label: config.model, offline: false };
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
    configuration: { baseURL: baseUrl, maxRetries: 0 },
  };
  return new ChatOpenAI({ ...fields, completions: new ReportingCompletions(fields) });
}
