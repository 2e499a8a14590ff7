import { startEndlessModel, streamedPiece } from '#testing/endless-model.js';
import { startModelStub } from '#testing/model-stub.js';
import { HumanMessage } from '@langchain/core/messages';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callModel, type CallOptions } from './call-model.js';
import { createChatModel } from './chat-model.js';
import { OpenAiEmbedder } from './embeddings.js';
import type { ModelUsage } from './usage.js';

const MESSAGES = [new HumanMessage('Write.')];
const FAST = { retryDelayMs: 1, maxRetries: 1 };
/** Longer than needed on any machine, in ms. */
const UNLIMITED = 3_600_000;

describe('a model server', () => {
  const MEGABYTE = 'words '.repeat(170_000);
  it.each([
    ['text', streamedPiece(MEGABYTE), UNLIMITED],
    ['a line', MEGABYTE, UNLIMITED],
    ['comments', `: ${MEGABYTE}\n`, UNLIMITED],
    ['small pieces', streamedPiece('word '), 100],
  ])('X7 aborts an endless answer of %s, and charges for it', async (_, endless, longestAnswerMs) => {
    const server = await startEndlessModel(endless);
    const { model } = createChatModel({ apiKey: 'k', baseUrl: server.baseUrl, model: 'm-1' });
    const charged: ModelUsage[] = [];
    const options: CallOptions = {
      longestAnswerMs,
      countTokens: (texts) => Promise.resolve(texts.join('').length),
      onFailedUsage: (usage) => Promise.resolve(void charged.push(usage)),
    };
    await expect(callModel(model, MESSAGES, options)).rejects.toMatchObject({
      code: 'model_answer_too_long',
      retryable: false,
    });
    expect(charged).toEqual([expect.objectContaining({ model: 'm-1', estimated: true })]);
    server.close();
  });

  it('follows redirects within the origin of the model, and refuses others before it sends the prompt', async () => {
    const stub = await startModelStub({ replies: [{ text: 'Here.' }] });
    const { origin } = new URL(stub.baseUrl);
    let [location, hits] = ['', 0];
    const door = createServer((request, response) => {
      hits += 1;
      response
        .writeHead(307, { location: hits === 1 ? `/moved${request.url}` : location + request.url })
        .end();
    }).listen(0, '127.0.0.1');
    await once(door, 'listening');
    try {
      const baseUrl = `http://127.0.0.1:${(door.address() as AddressInfo).port}/v1`;
      const { model } = createChatModel({ apiKey: 'k', baseUrl, model: 'm' });
      const embedder = new OpenAiEmbedder({ model: 'm', baseUrl, retryDelayMs: 1 });
      location = origin;
      const refused = {
        code: 'model_rejected',
        retryable: false,
        message: expect.stringContaining('no other server gets the prompt'),
      };
      await expect(callModel(model, MESSAGES, FAST)).rejects.toMatchObject(refused);
      expect(hits).toBe(2);
      await expect(embedder.embed(['text'])).rejects.toMatchObject(refused);
      expect(stub.requests).toEqual([]);
    } finally {
      door.close();
      await stub.stop();
    }
  });
});
