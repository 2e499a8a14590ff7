import { HumanMessage } from '@langchain/core/messages';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import { createChatModel } from '#llm/chat-model.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { sessionFixture, type SessionFixture } from '#testing/session-fixture.js';
import { MeteredModel } from './chat-models.js';

describe('X7 the default budget of a run', () => {
  let fixture: SessionFixture;
  let stub: ModelStub;

  beforeAll(async () => {
    fixture = await sessionFixture();
    stub = await startModelStub({ respond: () => ({ text: 'Fine.' }) });
  });
  afterAll(async () => {
    await stub.stop();
    await fixture.stop();
  });

  it('asks before the next call once it is used up, in a later leg too, and a budget of the run replaces it', async () => {
    const { db, run } = fixture;
    const usage = new ModelUsageRepository(db);
    const model = () =>
      new MeteredModel(
        {
          chat: createChatModel({
            ...{ owner: undefined, apiKey: 'sk-test', baseUrl: stub.baseUrl, send: undefined },
            ...{ model: 'stub-model', fastModel: 'stub-model', temperature: undefined, timeoutMs: 60_000 },
          }),
          priceOf: () => undefined,
          keepProfiles: () => Promise.resolve(),
          maxOutputTokens: 100,
          countTokens: (texts) => Promise.resolve(texts.join('').length),
        },
        db,
        run,
        { token: () => undefined } as never,
        usage.begin(run.tenantId, run.id, 'stub-model', 'v1'),
      );
    const ask = (of: MeteredModel, effectKey: string) =>
      of.call({ messages: [new HumanMessage('Are you fine?')], tools: [], effectKey });
    await db.run.update({ where: { id: run.id }, data: { defaultMaxTokens: 1n } });
    const first = model();
    await ask(first, 'agent:1');
    const shortfall = { scope: 'run', unit: 'tokens', limit: 1, spent: (await first.spent()).tokens };
    await expect(ask(first, 'agent:2')).rejects.toMatchObject({ shortfall });
    await expect(ask(model(), 'agent:2')).rejects.toMatchObject({ shortfall });
    expect(stub.requests).toHaveLength(1);
    await first.setBudget('tokens', 1_000_000);
    await ask(model(), 'agent:2');
    expect(stub.requests).toHaveLength(2);
  });
});
