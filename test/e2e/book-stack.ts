import type { ApiClient } from '#testing/api-client.js';
import type { BookModel } from '#testing/book-model.js';
import { startModelStub } from '#testing/model-stub.js';
import { TestStack } from '#testing/test-stack.js';

/** A whole stack whose model over HTTP is the scripted one, and a tenant of it. */
export async function startBookStack(model: BookModel) {
  const stub = await startModelStub({ respond: model.respond });
  const stack = await TestStack.start({
    fewProcesses: true,
    env: {
      OPENAI_API_KEY: 'sk-of-the-test',
      OPENAI_BASE_URL: stub.baseUrl,
      OPENAI_MODEL: 'writing-model',
      OPENAI_FAST_MODEL: 'planning-model',
    },
  });
  const client: ApiClient = await stack.tenant();
  const stop = async () => {
    await stack.stop();
    await stub.stop();
  };
  return { stub, stack, client, stop };
}
