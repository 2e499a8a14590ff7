import { consequencesOf } from '#contracts/model-facts.js';
import {
  chunkOf,
  startRawModel,
  textReply,
  type RawModel,
  type RawReply,
  type RawRequest,
} from '#testing/raw-model.js';
import { checkModel, checkRest, type Spend } from './check-model.js';
import { readListedModel } from '../wire/listed-model.js';
import { ModelProfile } from './model-profile.js';

let server: RawModel | undefined;
const spent: Parameters<Spend>[0][] = [];
afterEach(async () => {
  await server?.stop();
  server = undefined;
  spent.length = 0;
});

const USAGE = {
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [],
  usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
};
const calling = (count: number, ...more: object[]): RawReply => {
  const calls = Array.from({ length: count }, (_, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: 'read_file', arguments: '{"filename":"a.md"}' },
  }));
  return {
    events: [
      chunkOf({ role: 'assistant', content: null, tool_calls: calls }),
      chunkOf({}, 'tool_calls'),
      ...more,
    ],
  };
};
const refusing = (message: string, status = 400): RawReply => ({ status, error: { message } });
const json = textReply('{"colour":"green"}');

async function check(
  reply: (request: RawRequest, number: number) => RawReply,
  models?: object[],
): Promise<ModelProfile> {
  server = await startRawModel(reply, models);
  const profile = new ModelProfile();
  await checkModel({ baseUrl: server.baseUrl, apiKey: 'k' }, 'm', profile, (tokens) => {
    spent.push(tokens);
    return Promise.resolve();
  });
  return profile;
}

describe('checkModel', () => {
  it('records what a capable server and model can do', async () => {
    const { facts } = await check(
      ({ tools }) =>
        tools
          ? calling(2, USAGE)
          : {
              events: [
                chunkOf({ role: 'assistant', content: '{"colour":"green"}' }),
                chunkOf({}, 'stop'),
                USAGE,
              ],
            },
      [{ id: 'm', max_model_len: 32_768 }],
    );
    expect(facts).toEqual({
      context_tokens: 32_768,
      output_tokens: null,
      tools: true,
      parallel_calls: true,
      json_schema: true,
      json_object: true,
      stream_usage: true,
      reasoning: false,
    });
    expect(consequencesOf(facts)).toEqual([]);
  });

  it('lists the consequences of missing features of a small local server', async () => {
    const { facts, accepted } = await check(({ tools, response_format: format }) => {
      if (tools) return refusing('registry.ollama.ai/library/m does not support tools');
      if (format) return refusing('response_format is not supported');
      return textReply('<think>Grass.</think>{"colour":"green"}');
    });
    expect(facts).toMatchObject({ tools: false, json_schema: false, json_object: false, reasoning: true });
    expect(consequencesOf(facts)).toEqual([
      'no_tools',
      'unknown_window',
      'no_json_object',
      'no_stream_usage',
      'reasoning',
    ]);
    expect(accepted.format).toBeNull();
  });

  it('detects a server that supports only JSON objects, and a model that calls one tool at a time', async () => {
    const { facts } = await check(({ tools, response_format: format }) => {
      if (tools) return calling(1);
      return (format as { type?: string } | undefined)?.type === 'json_schema'
        ? refusing('response_format.type must be json_object')
        : json;
    });
    expect(facts).toMatchObject({
      tools: true,
      parallel_calls: false,
      json_schema: false,
      json_object: true,
    });
  });

  it('reads answers of a server that does not stream, and calls that a model writes as text', async () => {
    const called = '<tool_call>{"name": "read_file", "arguments": {"filename": "a.md"}}</tool_call>';
    const { facts } = await check(({ stream, tools }) => {
      if (stream) return refusing('Streaming is not supported for this model.');
      const content = tools ? `${called}\n${called}` : '{"colour":"green"}';
      const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' };
      return { whole: { ...USAGE, choices: [choice] } };
    });
    expect(facts).toMatchObject({ tools: true, parallel_calls: true, json_schema: true, stream_usage: true });
  });

  it('learns which parameters the server refuses, for all later calls', async () => {
    const { accepted } = await check((request) => {
      if ('stream_options' in request) return refusing('Unrecognized request argument: stream_options');
      if ('max_tokens' in request) return refusing("Unsupported parameter: 'max_tokens'");
      return request.tools ? calling(2) : json;
    });
    expect(accepted.stored()).toMatchObject({
      dropped: ['stream_options'],
      renamed: { max_tokens: 'max_completion_tokens' },
    });
  });

  it('throws the error of a server that refuses the key', async () => {
    await expect(check(() => refusing('Invalid key', 401))).rejects.toMatchObject({
      code: 'model_unauthorized',
    });
  });

  it('names the models of a server that does not know this one', async () => {
    const models = Array.from({ length: 12 }, (_, index) => ({ id: `model-${index}` }));
    await expect(check(() => refusing('model "m" not found', 404), models)).rejects.toMatchObject({
      code: 'model_not_found',
      message: expect.stringMatching(/It lists "model-0", .*"model-9" and 2 more\.$/),
    });
  });

  it('reports the tokens of each answer, counted here if the server does not say', async () => {
    await check(({ tools }) => (tools ? calling(2, USAGE) : json));
    expect(spent.at(-1)).toEqual({ input: 5, output: 5, estimated: false });
    expect(spent[0]).toMatchObject({ estimated: true });
    expect(spent).toHaveLength(3);
  });

  it('restores what it learned from the stored profile', async () => {
    const profile = await check(({ tools }) => (tools ? calling(2) : json), [{ id: 'm', context_length: 9 }]);
    const copy = new ModelProfile();
    copy.restore(JSON.parse(JSON.stringify(profile.stored())) as never);
    expect(copy.facts).toEqual(profile.facts);
  });
});

describe('checkRest', () => {
  async function rest(known: Parameters<ModelProfile['note']>[0], profile = new ModelProfile()) {
    await server?.stop();
    server = await startRawModel(({ tools }) => (tools ? textReply('No.') : json));
    profile.note(known);
    const spend = () => Promise.resolve();
    await checkRest({ baseUrl: server.baseUrl, apiKey: 'k' }, 'm', profile, spend);
    return { facts: profile.facts, requests: server.requests };
  }

  it('checks only facts that the answers of a run have not shown, and accepts the others', async () => {
    const shown = await rest({ tools: true, parallel_calls: true, json_schema: true, json_object: true });
    expect(shown.requests).toHaveLength(0);
    const { facts, requests } = await rest({ tools: true, stream_usage: true });
    expect(requests).toHaveLength(3);
    expect(facts).toMatchObject({ tools: true, parallel_calls: false, json_schema: true, json_object: true });
  });

  it('does not request a format that the server has refused', async () => {
    const profile = new ModelProfile();
    profile.accepted.format = null;
    const { requests } = await rest({ tools: true, parallel_calls: true }, profile);
    expect(requests).toHaveLength(0);
  });
});

describe('readListedModel', () => {
  it.each([
    ['vLLM', { id: 'm', max_model_len: 8_192 }, 8_192, null],
    ['llama.cpp', { id: 'other-name', meta: { n_ctx_train: 131_072 } }, 131_072, null],
    ['LM Studio', { id: 'm', loaded_context_length: 4_096, max_context_length: 32_768 }, 4_096, null],
    [
      'OpenRouter',
      { id: 'm', context_length: 200_000, top_provider: { max_completion_tokens: 64_000 } },
      200_000,
      64_000,
    ],
    ['OpenAI', { id: 'm', object: 'model' }, null, null],
  ])('reads the window of %s', async (_, entry, context_tokens, output_tokens) => {
    server = await startRawModel(() => json, [entry]);
    expect(await readListedModel({ baseUrl: `${server.baseUrl}/`, apiKey: 'k' }, 'm')).toEqual({
      context_tokens,
      output_tokens,
    });
  });

  it.each([
    ['a list', (entries: object[]) => entries],
    ['models', (entries: object[]) => ({ models: entries })],
  ])('reads %s of models without data', async (_, listOf) => {
    const entries = [
      { name: 'models/other', inputTokenLimit: 9 },
      { name: 'models/m', inputTokenLimit: 8_192 },
    ];
    const send = () => Promise.resolve(Response.json(listOf(entries)));
    const found = await readListedModel(
      { baseUrl: 'http://127.0.0.1/v1', apiKey: 'k', send: send as never },
      'm',
    );
    expect(found).toEqual({ context_tokens: 8_192, output_tokens: null });
  });

  it('returns null if there is no server', async () => {
    expect(await readListedModel({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k' }, 'm')).toBeNull();
  });
});
