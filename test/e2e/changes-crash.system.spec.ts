import type { ApiClient } from '#testing/api-client.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';

const TEXT = '## The tower\n\nThe tower is high.\n\nIt is grey.\n';

describe('X4 a change of a selection', () => {
  let stub: ModelStub;
  let stack: TestStack;
  let tenant: ApiClient;
  let asked: () => void;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });

  beforeAll(async () => {
    stub = await startModelStub({
      respond: () => {
        asked();
        const isFirst = stub.requests.length === 1;
        return isFirst ? { hold: true } : { text: JSON.stringify({ replacement: 'It is tall.' }) };
      },
    });
    const env = { OPENAI_BASE_URL: stub.baseUrl, OPENAI_API_KEY: 'x', OPENAI_MODEL: 'stub' };
    stack = await TestStack.start({ env, workers: { tools: 0 }, longestPauseMs: 200 });
    tenant = await stack.tenant();
  });
  afterAll(async () => {
    await stack.stop();
    await stub.stop();
  });

  it('is proposed although its runner ends during the model’s answer, and accepted although the gateway ends', async () => {
    const project = String((await tenant.post('/api/books/projects', { title: 'Towers' })).json.id);
    const path = `/api/books/projects/${project}/chapters`;
    const chapter_id = String((await tenant.post(path, { title: 'One', content: TEXT })).json.id);
    const selection = { quote: 'The tower is high.' };
    const { json } = await tenant.post('/api/changes', { chapter_id, selection, instruction: 'Shorter.' });
    const change = `/api/changes/${String(json.run_id)}`;
    await isAsked;
    stack.kill('agent-runner');
    const read = async () => (await tenant.get(change)).json;
    await until('the change is proposed', read, ({ state }) => state === 'proposed');
    expect(stub.requests.length).toBeGreaterThan(1);
    stack.kill('gateway');
    const accept = () => tenant.post(`${change}/accept`, {}).catch(() => null);
    await until('the change is accepted', accept, (answer) => answer?.json.state === 'accepted');
    const chapter = (await tenant.get(`/api/books/chapters/${chapter_id}`)).json;
    expect(chapter).toMatchObject({
      version: 2,
      content: TEXT.replace('The tower is high.', 'It is tall.'),
    });
  });
});
