import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAI } from '@langchain/openai';
import { boundedFetch, type Send, apiRoot, azureKey } from './bounded-fetch.js';
import { profileOf, type ModelProfile, endpointKey, OPENAI } from './profile/model-profile.js';
import type { ModelServer } from './wire/listed-model.js';
import { WireCompletions } from './wire/completions.js';

/** The settings `OPENAI_*` (B23); any server with the OpenAI API works. */
interface ChatModelConfig {
  apiKey: string;
  baseUrl?: string | undefined;
  model?: string;
  /** Model for planning and review; defaults to `model`. */
  fastModel?: string;
  temperature?: number | undefined;
  /** Maximum time without data from the server, in ms. */
  timeoutMs?: number;
  /** Tenant whose endpoint it is; undefined for the installation's. */
  owner?: string | undefined;
  /** Sends the requests; by default to any server. */
  send?: Send | undefined;
}

export interface ChatModel {
  model: BaseChatModel;
  fastModel: BaseChatModel;
  /** Label in runs, events and the terminal. It does not name the server, which tenants need not know. */
  label: string;
  fastLabel: string;
  /** True for the offline writer. */
  offline: boolean;
}

/** Returns the offline writer as a chat model, for an installation without a model. */
export function offlineChatModel({ model, label }: { model: BaseChatModel; label: string }): ChatModel {
  return {
    model,
    fastModel: model,
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
  const model = connect(config, config.model);
  const fast = config.fastModel ?? config.model;
  const fastModel = fast === config.model ? model : connect(config, fast);
  return { model, fastModel, label: config.model, fastLabel: fast, offline: false };
}

/** The endpoint that a model is called at. */
export interface Connection {
  /** Key of the endpoint, without its address. */
  endpoint: string;
  profile: ModelProfile;
  server: ModelServer;
}

const connections = new WeakMap<BaseChatModel, Connection>();

/** Returns the endpoint of a model; undefined for a model without a server. */
export const connectionOf = (model: BaseChatModel): Connection | undefined => connections.get(model);

function connect(config: ChatModelConfig, name: string): ChatOpenAI {
  const { apiKey, baseUrl = OPENAI, temperature, timeoutMs, owner, send } = config;
  const fetch = send
    ? (...[url, init]: Parameters<typeof boundedFetch>) => boundedFetch(url, init, send)
    : boundedFetch;
  const { baseURL, query } = apiRoot(baseUrl);
  const fields = {
    apiKey,
    model: name,
    ...(temperature === undefined ? {} : { temperature }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    streamUsage: true,
    maxRetries: 0,
    // Otherwise the client would write parts of answers to standard error.
    configuration: {
      baseURL,
      defaultQuery: query,
      defaultHeaders: azureKey(baseUrl, apiKey),
      maxRetries: 0,
      fetch,
      logLevel: 'off' as const,
    },
  };
  const endpoint = endpointKey(baseUrl, owner);
  const profile = profileOf(endpoint, name);
  const model = new ChatOpenAI({ ...fields, completions: new WireCompletions(fields, profile.accepted) });
  connections.set(model, { endpoint, profile, server: { baseUrl, apiKey, send } });
  return model;
}
