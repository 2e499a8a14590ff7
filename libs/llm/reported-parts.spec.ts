import { HumanMessage } from '@langchain/core/messages';
import { costOf } from '#contracts/budgets.js';
import { startRawModel } from '#testing/raw-model.js';
import { callModel } from './call-model.js';
import { createChatModel } from './chat-model.js';

async function usageSent(usage: object) {
  const events = [
    { choices: [{ index: 0, delta: { content: 'Fine.' } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, ...usage } },
    '[DONE]',
  ];
  const server = await startRawModel(() => ({ events }));
  const { model } = createChatModel({
    ...{ owner: undefined, apiKey: 'sk-test', baseUrl: server.baseUrl, send: undefined },
    ...{ model: 'm', fastModel: 'm', temperature: undefined, timeoutMs: 60_000 },
  });
  try {
    return (await callModel(model, [new HumanMessage('Are you fine?')], {})).usage;
  } finally {
    await server.stop();
  }
}

describe('X7 what a server reports beyond the sums', () => {
  it.each<[string, object, object]>([
    [
      'OpenAI',
      {
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 15 },
      },
      { parts: { cachedTokens: 60, reasoningTokens: 15 } },
    ],
    [
      'OpenRouter',
      { prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 }, cost: 0.00123 },
      { parts: { cachedTokens: 60, cacheWriteTokens: 30 }, cost: 1_230 },
    ],
    ['DeepSeek', { prompt_cache_hit_tokens: 64 }, { parts: { cachedTokens: 64 } }],
    [
      'Anthropic',
      { cache_read_input_tokens: 10, cache_creation_input_tokens: 20 },
      { parts: { cachedTokens: 10, cacheWriteTokens: 20 } },
    ],
  ])('is read in the form of %s', async (_, usage, expected) => {
    expect(await usageSent(usage)).toMatchObject({ input_tokens: 100, output_tokens: 20, ...expected });
  });

  it.each([
    [{ prompt_tokens_details: { cached_tokens: 101 } }],
    [{ prompt_tokens_details: { cached_tokens: -1 }, completion_tokens_details: { reasoning_tokens: 21 } }],
    [{ prompt_tokens_details: 'none', cost: 'free' }],
    [{ prompt_tokens_details: null, completion_tokens_details: null, cost: -1 }],
  ])('is ignored where it is not plausible: %j', async (usage) => {
    const reported = await usageSent(usage);
    expect(reported).not.toHaveProperty('parts');
    expect(reported).not.toHaveProperty('cost');
  });

  it('has a price of its own, by default that of other input and output', () => {
    const parts = { cachedTokens: 60, cacheWriteTokens: 30, reasoningTokens: 15 };
    const price = { input: 3_000_000, output: 15_000_000 };
    expect(costOf(price, 100, 20, parts)).toBe(costOf(price, 100, 20));
    const own = { ...price, cached_input: 300_000, cache_write: 4_000_000, reasoning: 20_000_000 };
    expect(costOf(own, 100, 20, parts)).toBe(10 * 3 + 18 + 30 * 4 + 5 * 15 + 15 * 20);
  });
});
