import type { ApiClient, ApiResponse } from '#testing/api-client.js';
import { sharedStack } from '#testing/shared-stack.js';

describe('the order of inputs', () => {
  let tenant: ApiClient;

  beforeAll(async () => {
    tenant = await (await sharedStack()).tenant();
  });

  const namesOf = ({ json }: ApiResponse) => (json.items as { name: string }[]).map(({ name }) => name);
  const order = (sessionId: string, names: string[]) =>
    tenant.post(`/api/sessions/${sessionId}/inputs/order`, { names });
  const listed = async (sessionId: string) => namesOf(await tenant.get(`/api/sessions/${sessionId}/inputs`));

  it('D7 follows the names, until a person sets it for some or all inputs', async () => {
    const id = await tenant.sessionWith({ '10.md': '# Ten\n', '2.md': '# Two\n', '1.md': '# One\n' });
    expect(await listed(id)).toEqual(['1.md', '2.md', '10.md']);
    expect(namesOf(await order(id, ['10.md', '1.md', '2.md']))).toEqual(['10.md', '1.md', '2.md']);
    expect(namesOf(await order(id, ['2.md']))).toEqual(['2.md', '1.md', '10.md']);
    await tenant.upload(id, { '0.md': '# Zero\n' });
    expect(await listed(id)).toEqual(['2.md', '0.md', '1.md', '10.md']);
    await tenant.request('DELETE', `/api/sessions/${id}/inputs/2.md`);
    expect(await listed(id)).toEqual(['0.md', '1.md', '10.md']);
    expect((await order(id, ['10.md', 'none.md'])).json.phrase).toEqual({
      code: 'invalid_request.unknown_inputs',
      params: { names: 'none.md' },
    });
    expect(namesOf(await order(id, []))).toEqual(['0.md', '1.md', '10.md']);
  });

  it('determines the order of the manuscript and the ledger', async () => {
    const id = await tenant.sessionWith({
      'a/readme.md': '# One\n\nFirst.\n',
      'b/readme.md': '# Two\n\nSecond.\n',
    });
    await order(id, ['b/readme.md', 'a/readme.md']);
    await tenant.completed((await tenant.startRun(id)).id);
    const { text } = await tenant.get(`/api/sessions/${id}/manuscript`);
    expect([...text.matchAll(/First|Second/g)].map(String)).toEqual(['Second', 'First']);
    const { files } = (await tenant.get(`/api/sessions/${id}/ledger`)).json as { files: { name: string }[] };
    expect(files.map(({ name }) => name)).toEqual(['b/readme.md', 'a/readme.md']);
  });
});
