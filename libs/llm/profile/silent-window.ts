import { phrase } from '#contracts/phrases/phrase.js';
import { timeLimit } from '#contracts/wait.js';
import { boundedFetch, keyHeaders } from '../bounded-fetch.js';
import { ModelError } from '../model-error.js';
import type { ModelServer } from '../wire/listed-model.js';

/** Hardly any text has more characters in a token. */
const MOST_CHARACTERS_PER_TOKEN = 6;
/** Window of Ollama if neither the server nor the model sets one. */
const OLLAMA_WINDOW = 4_096;
const TIMEOUT_MS = 5_000;

/** Returns whether a server billed so few tokens that it may have cut the prompt without saying so. */
export const mayBeCut = (characters: number, billed: number): boolean =>
  billed > 0 && billed < characters / MOST_CHARACTERS_PER_TOKEN;

/** Servers that said that they are not Ollama. Ollama is asked each time, because people change its window. */
const others = new WeakSet<ModelServer>();

/**
 * Asks a server for the window to which it cuts prompts without saying so, as Ollama does.
 *
 * @returns null if it is not Ollama
 */
export async function silentWindow(server: ModelServer, model: string): Promise<number | null> {
  if (others.has(server)) return null;
  const { baseUrl, apiKey, send } = server;
  try {
    const response = await boundedFetch(
      new URL('/api/show', baseUrl).href,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...keyHeaders(baseUrl, apiKey) },
        body: JSON.stringify({ model }),
        signal: timeLimit(TIMEOUT_MS),
      },
      send,
    );
    if (response.status === 404) others.add(server);
    const shown = (await response.json()) as { parameters?: unknown; model_info?: unknown };
    if (!response.ok || shown.model_info === undefined) return null;
    const [, set] = /^num_ctx\s+(\d+)/m.exec(String(shown.parameters ?? '')) ?? [];
    return set === undefined ? OLLAMA_WINDOW : Number(set);
  } catch {
    return null;
  }
}

/** Returns the error of a prompt that a server cut. It names the setting to change. */
export const promptCut = (window: number): ModelError =>
  new ModelError(
    'model_prompt_too_long',
    phrase('model_failure.model_prompt_too_long.cut', { window }),
    false,
    undefined,
    window,
  );
