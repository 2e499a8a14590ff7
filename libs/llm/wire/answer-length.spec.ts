import {
  startRawModel,
  textReply,
  type RawModel,
  type RawReply,
  type RawRequest,
} from '#testing/raw-model.js';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { callModel, type CallOptions } from '../call-model.js';
import { connectionOf, createChatModel } from '../chat-model.js';

const START = [new SystemMessage('You write.'), new HumanMessage('Write.')];

let server: RawModel | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

describe('the length of an answer', () => {
  const limitsOf = () => server!.requests.map((request) => request['max_tokens']);
  const noted = async (
    facts: { context_tokens?: number; output_tokens?: number },
    reply: (request: RawRequest, number: number) => RawReply,
  ) => {
    server = await startRawModel(reply);
    const { model: chat } = createChatModel({ apiKey: 'k', baseUrl: server.baseUrl, model: 'm' });
    connectionOf(chat)!.profile.note(facts);
    return (options: CallOptions = {}) => callModel(chat, START, { retryDelayMs: 1, ...options });
  };
  const TOKENS = { countTokens: () => Promise.resolve(1_000) };

  it('is the rest of the window after the prompt; with an unknown window, the server decides', async () => {
    const ask = await noted({ context_tokens: 32_768 }, () => textReply('Done.'));
    await ask(TOKENS);
    await ask({ countTokens: () => Promise.resolve(29_000) });
    // 1,000 tokens and the frames of two messages, with a margin of 10 %.
    expect(limitsOf()).toEqual([32_768 - 1_136, 832]);
    await server!.stop();
    const unknown = await noted({}, () => textReply('Done.'));
    await unknown(TOKENS);
    expect(server!.requests[0]).not.toHaveProperty('max_tokens');
  });

  it('is not asked for if the prompt exceeds the window', async () => {
    const ask = await noted({ context_tokens: 32_768 }, () => textReply('Done.'));
    await expect(ask({ countTokens: () => Promise.resolve(33_000) })).rejects.toMatchObject({
      code: 'model_prompt_too_long',
      message: expect.stringContaining('32768 tokens'),
    });
    expect(limitsOf()).toEqual([]);
    // By another tokenizer it may fit, until the server has counted.
    const fits = { countTokens: () => Promise.resolve(32_000) };
    await ask(fits);
    await server!.stop();
    const usage = { prompt_tokens: 35_000, completion_tokens: 1, total_tokens: 35_001 };
    const counting = await noted({ context_tokens: 32_768 }, () => textReply('Done.', usage));
    await counting(fits);
    await expect(counting(fits)).rejects.toMatchObject({ code: 'model_prompt_too_long' });
  });

  it('is at most what the model writes or the budget allows', async () => {
    const ask = await noted({ context_tokens: 32_768, output_tokens: 8_192 }, () => textReply('Done.'));
    await ask(TOKENS);
    await ask({ ...TOKENS, maxOutputTokens: 500 });
    expect(limitsOf()).toEqual([8_192, 500]);
  });

  it.each([
    'max_tokens is too large: 31632. This model supports at most 16384 completion tokens.',
    'max_tokens: 31,632 > 16,384, which is the maximum allowed number of output tokens for claude-2024',
    'Invalid max_tokens value, the valid range of max_tokens is [1, 16384]',
  ])('is learned from the refusal %j', async (message) => {
    const ask = await noted({ context_tokens: 32_768 }, ({ max_tokens: limit }) =>
      (limit as number) > 16_384 ? { status: 400, error: { message } } : textReply('Done.'),
    );
    await ask(TOKENS);
    await ask(TOKENS);
    expect(limitsOf()).toEqual([31_632, 16_383, 16_383]);
  });

  it('is shortened once if prompt and answer exceed the window by the server’s count', async () => {
    const message =
      "'max_tokens' is too large: 31632. This model's maximum context length is 32768 tokens and your request has 2000 input tokens.";
    const ask = await noted({ context_tokens: 32_768 }, ({ max_tokens: limit }) =>
      (limit as number) > 20_000 ? { status: 400, error: { message } } : textReply('Done.'),
    );
    await ask(TOKENS);
    expect(limitsOf()).toEqual([31_632, 7_908]);
  });

  it('fails with the reason if the prompt alone exceeds the window', async () => {
    const ask = await noted({ context_tokens: 32_768 }, () => ({
      status: 400,
      error: {
        message: "max_tokens and prompt exceed: this model's maximum context length is 32768 tokens.",
      },
    }));
    await expect(ask(TOKENS)).rejects.toMatchObject({ code: 'model_prompt_too_long' });
    expect(limitsOf()).toEqual([31_632, 7_908]);
  });
});
