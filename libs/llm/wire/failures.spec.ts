import { asking, closeServers, data, refuse, START, text, type Answer } from '#testing/byte-model.js';
import { chunkOf } from '#testing/raw-model.js';

afterEach(closeServers);

const failing =
  (status: number, body: object | string, headers = {}): Answer =>
  (_, response) =>
    refuse(response, status, body, headers);

describe('failures of further dialects', () => {
  it.each<[string, Answer, object]>([
    [
      'a status in the body',
      failing(200, {
        id: '',
        choices: null,
        base_resp: { status_code: 1008, status_msg: 'insufficient balance' },
      }),
      { code: 'model_quota_exceeded' },
    ],
    [
      'a code and a message',
      failing(200, {
        code: 'InvalidParameter',
        message: 'Range of input length should be [1, 30720]',
        request_id: '1',
      }),
      { code: 'model_prompt_too_long' },
    ],
    [
      'a message without choices',
      failing(200, { success: false, message: 'The queue is full.' }),
      { code: 'model_unavailable' },
    ],
    [
      'a wrong key, with status 400',
      failing(400, [
        {
          error: {
            code: 400,
            message: 'API key not valid. Please pass a valid API key.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ]),
      { code: 'model_unauthorized' },
    ],
    [
      'an unknown model, with status 400',
      failing(400, { error: { message: 'Model Not Exist', type: 'invalid_request_error' } }),
      { code: 'model_not_found' },
    ],
    [
      'an unknown model by another name',
      failing(400, { error: { message: 'qwen-xl is not a valid model ID', code: 400 } }),
      { code: 'model_not_found' },
    ],
    [
      'no tools, with status 404',
      failing(404, { error: { message: 'No endpoints found that support tool use.', code: 404 } }),
      { code: 'model_rejected', message: expect.stringContaining('support tool use') },
    ],
    [
      'a country',
      failing(403, {
        error: {
          message: 'Country, region, or territory not supported',
          code: 'unsupported_country_region_territory',
        },
      }),
      { code: 'model_unauthorized', message: expect.stringContaining('Country') },
    ],
    [
      'a flagged prompt',
      failing(403, {
        error: { message: 'Your chosen model requires moderation and your input was flagged', code: 403 },
      }),
      { code: 'model_refused' },
    ],
    [
      'a model that is being loaded',
      failing(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }),
      {
        code: 'model_unavailable',
        retryAfterMs: 10_000,
        message: expect.stringContaining('loading the model'),
      },
    ],
    [
      'a model that is being loaded, with the time',
      failing(503, { error: 'Model x is currently loading', estimated_time: 20.5 }),
      { code: 'model_unavailable', retryAfterMs: 20_500 },
    ],
    [
      'too many requests, with a delay of Gemini',
      failing(429, [
        {
          error: {
            code: 429,
            message: 'Quota exceeded for metric x',
            details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }],
          },
        },
      ]),
      { code: 'model_rate_limited', retryAfterMs: 34_000 },
    ],
    [
      'too many requests, with words of Azure',
      failing(429, { error: { code: '429', message: 'Please retry after 12 seconds.' } }),
      { code: 'model_rate_limited', retryAfterMs: 12_000 },
    ],
    [
      'too many requests, with minutes',
      failing(429, { error: { message: 'Try again in 2 minutes.' } }),
      { code: 'model_rate_limited', retryAfterMs: 120_000 },
    ],
    [
      'too many requests, with status 400',
      failing(400, { code: 'Throttling', message: 'Requests rate limit exceeded, please try again later.' }),
      { code: 'model_rate_limited', retryable: true },
    ],
    [
      'too many requests, with status 403',
      failing(403, { message: 'You have exceeded a secondary rate limit.' }),
      { code: 'model_rate_limited', retryable: true },
    ],
    [
      'a page of a proxy that wants a sign-in',
      failing(403, '<html><title>Sign in</title></html>', { 'content-type': 'text/html' }),
      { code: 'model_unauthorized' },
    ],
    [
      'a body that is no JSON',
      failing(200, '{"choices": [{"index": 0, "mess'),
      { code: 'model_unavailable' },
    ],
  ])('have their reason: %s', async (_, answer, failure) => {
    const { ask } = await asking(answer);
    await expect(ask()).rejects.toMatchObject(failure);
  });

  it.each([
    [
      400,
      "You passed 9000 input tokens and requested 1024 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 7168 tokens.",
    ],
    [400, "The input (9000 tokens) is longer than the model's context length (8192 tokens)."],
    [400, 'Input length (9000 tokens) exceeds the maximum allowed length (8187 tokens).'],
    [400, 'Prompt length (9000) exceeds maximum input length (8192). Set log level to info.'],
    [400, 'Prompt length 9000 is greater than max_seq_len 8192'],
    [400, 'prompt token count of 130000 exceeds the limit of 128000'],
    [400, 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 9000.'],
    [400, 'Please reduce the length of the messages or completion.'],
    [400, 'Request body too large for m model. Max size: 8000 tokens.'],
    [400, 'input tokens exceed the configured limit of 8192 tokens. Your messages resulted in 9000 tokens.'],
    [400, 'Prompt 超长'],
    [400, '输入内容超过模型最大上下文长度限制'],
    [400, 'Der Prompt überschreitet die maximale Kontextlänge von 8192 Token.'],
    [400, 'Le prompt dépasse la longueur maximale du contexte (8192 jetons).'],
    [500, 'prompt (9000 tokens) does not fit into the context of 8192 tokens'],
  ])('name a prompt that is too long: %i %s', async (status, message) => {
    const { ask } = await asking(failing(status, { error: { message } }));
    await expect(ask()).rejects.toMatchObject({ code: 'model_prompt_too_long' });
  });

  it.each([
    'max_tokens is too large: 100000. This model supports at most 16384 completion tokens.',
    'Too many tools: the maximum length of tools is 128.',
    'Invalid schema: maximum depth exceeded.',
    'messages.0.name: string too long. Expected a string with maximum length 64.',
    'Rate limit reached: too many tokens per minute.',
  ])('name nothing else so: %s', async (message) => {
    const { ask } = await asking(failing(400, { error: { message } }));
    await expect(ask()).rejects.not.toMatchObject({ code: 'model_prompt_too_long' });
  });
});

it('X7 the usage of a stream that broke off after reporting it is charged', async () => {
  const usage = { prompt_tokens: 321, completion_tokens: 12, total_tokens: 333 };
  const failed: unknown[] = [];
  const { ask, requests } = await asking((body, response, request) =>
    requests.length === 1
      ? response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(data({ ...chunkOf({ content: 'The tower' }), usage }), () => response.destroy())
      : text('Done.')(body, response, request),
  );
  const onFailedUsage = (wasted: unknown) => Promise.resolve(void failed.push(wasted));
  expect((await ask(START, { maxRetries: 1, onFailedUsage })).message.text).toBe('Done.');
  expect(failed).toEqual([{ input_tokens: 321, output_tokens: 12, model: 'm', estimated: false }]);
});
