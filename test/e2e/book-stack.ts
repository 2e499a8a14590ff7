import type { ApiClient } from '#testing/api-client.js';
import type { BookModel } from '#testing/book-model.js';
import { startModelStub } from '#testing/model-stub.js';
import { leasedStack } from '#testing/shared-stack.js';

/** A whole stack whose model over HTTP is the scripted one, and a tenant of it. */
export async function startBookStack(model: BookModel) {
  const stub = await startModelStub({ respond: model.respond });
  const stack = await leasedStack('model', { model: stub.baseUrl });
  const client: ApiClient = await stack.tenant();
  const stop = async () => {
    await stack.release();
    await stub.stop();
  };
  return { stub, stack, client, stop };
}
