import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { MAX_SECRETS } from '#plan/contract/secret-schemas.js';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { from, task } from './plan-bodies.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- views of plans, read at many depths
type View = any;

const VALUE = 'crm-value-5d1f0a77';

/** Plans that call an API with a secret of the tenant, on the whole system. */
describe('http_request on the whole system', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let server: Server;
  let host: string;
  const received: { method: string | undefined; authorization: string | undefined; body: string }[] = [];
  /** Idempotency keys of the items that were sent, and items whose next call gets no answer. */
  const keys = new Map<string, unknown[]>();
  const broken = new Set<string>();

  beforeAll(async () => {
    stack = await sharedStack('private');
    tenant = await stack.tenant();
    server = createServer((head, response) => {
      void text(head).then((body) => {
        const { method, headers } = head;
        if (head.url === '/items') {
          keys.set(body, [...(keys.get(body) ?? []), headers['idempotency-key']]);
          if (broken.delete(body)) return void head.socket.destroy();
          return void response.writeHead(body === '"bad"' ? 422 : 201).end();
        }
        received.push({ method, authorization: headers.authorization, body });
        const answer = { said: headers.authorization, rows: [{ id: 1 }] };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const start = async (tasks: unknown[]): Promise<View> => {
    const session_id = await tenant.sessionWith({ 'a.md': '# A\n' });
    return (await tenant.post('/api/plans', { session_id, dag: { tasks } })).json;
  };

  it('P5 P12 P13 reads without a question, asks before it writes, and shows the secret nowhere', async () => {
    const added = await tenant.post('/api/secrets', { name: 'crm', value: VALUE, hosts: [host] });
    expect(added).toMatchObject({ status: 201, json: { name: 'crm', hosts: [host] } });
    const headers = { authorization: 'Bearer {{crm}}' };
    const url = `http://${host}/rows`;
    const { id } = await start([
      task('read', 'http_request', { method: 'GET', url, headers }),
      task('send', 'http_request', {
        method: 'POST',
        url,
        headers,
        body: { rows: from('read', '/body/rows') },
      }),
      task('file', 'write_file', { name: 'said.json', content: from('send', '/body') }),
    ]);
    const approval = await tenant.decision(id);
    expect(received).toEqual([{ method: 'GET', authorization: `Bearer ${VALUE}`, body: '' }]);
    await tenant.post(`/api/decisions/${approval.id}/answer`, { approved: true });
    const events = await tenant.events(id);
    const plan = (await tenant.get(`/api/plans/${id}`)).json as View;
    expect([plan.status, plan.error]).toEqual(['completed', null]);
    expect(received[1]).toEqual({
      method: 'POST',
      authorization: `Bearer ${VALUE}`,
      body: '{"rows":[{"id":1}]}',
    });
    const result = await tenant.get(`/api/plans/${id}/tasks/send/result`);
    expect(result.json).toMatchObject({ status: 200, body: { said: 'Bearer [removed]' } });
    const history = await tenant.get(`/api/agents/runs/${id}/history`);
    const audit = await tenant.get('/api/audit');
    const secrets = await tenant.get('/api/secrets');
    const shown = [added, plan, approval, events, result, history, audit, secrets];
    expect(JSON.stringify(shown)).not.toContain(VALUE);
    expect(await stack.log()).not.toContain(VALUE);
  });

  it('P5 P12 fills a text, and mails it with a file of the plan after an approval that shows it', async () => {
    const mails: string[] = [];
    const smtp = new SMTPServer({
      hideSTARTTLS: true,
      authOptional: true,
      onData: (stream, _, done) =>
        void text(stream).then((content) => {
          mails.push(content);
          done(null);
        }),
    });
    smtp.listen(0, '127.0.0.1');
    await once(smtp.server, 'listening');
    const at = `127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
    const { id } = await start([
      task('fill', 'fill_template', { template: 'Dear {{ name }}', data: { name: 'Bob' } }),
      task('file', 'write_file', { name: 'sum.txt', content: 'total 12' }),
      task('send', 'send_mail', {
        server: at,
        from: 'ann@example.org',
        to: ['bob@example.org'],
        subject: 'Sums',
        text: from('fill', '/text'),
        files: [from('file', '/name')],
      }),
    ]);
    const approval: View = await tenant.decision(id);
    expect(approval.details.next_layer[0].resolved).toMatchObject({ text: 'Dear Bob', files: ['sum.txt'] });
    expect(mails).toEqual([]);
    await tenant.post(`/api/decisions/${approval.id}/answer`, { approved: true });
    await tenant.completed(id);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('Dear Bob');
    expect(mails[0]).toContain(Buffer.from('total 12').toString('base64'));
    await new Promise<void>((done) => smtp.close(done));
  });

  it('X3 P5 map sends one request for each item after one approval, and asks only about interrupted ones', async () => {
    const items = ['a', 'b', 'bad', 'dropped', 'edited', 'lost', 'sent'];
    for (const item of ['"lost"', '"sent"']) broken.add(item);
    const call = { method: 'POST', url: `http://${host}/items`, body: { $item: '' } };
    const { id } = await start([
      task('list', 'transform_json', { data: items, expression: '$' }),
      task('each', 'map', { items: from('list', '/data'), tool: 'http_request', arguments: call }),
    ]);
    const approval: View = await tenant.decision(id);
    const [shown] = approval.details.next_layer;
    expect(shown.calls.map(({ body }: View) => body)).toEqual(items);
    const changes = { skip: [3], replace: { 4: { ...call, body: 'better' } } };
    await tenant.post(`/api/decisions/${approval.id}/answer`, {
      approved: true,
      arguments: { each: changes },
    });
    await tenant.events(
      id,
      ({ type, data }) => type === 'decision_required' && data['decision_id'] !== approval.id,
    );
    const outcome: View = await tenant.decision(id);
    expect(outcome).toMatchObject({
      decision_type: 'plan_outcome',
      details: { results: [{ task_id: 'each', interrupted_items: [5, 6] }] },
    });
    const answer = { action: 'repeat', items: { 6: 'done' } };
    await tenant.post(`/api/decisions/${outcome.id}/answer`, answer);
    await tenant.events(id);
    const plan: View = (await tenant.get(`/api/plans/${id}`)).json;
    expect([plan.status, plan.error]).toEqual(['completed', null]);
    const { results, ...counts }: View = (await tenant.get(`/api/plans/${id}/tasks/each/result`)).json;
    expect(results.map((result: View) => result?.status ?? null)).toEqual([
      201,
      201,
      null,
      null,
      201,
      201,
      null,
    ]);
    expect(counts).toMatchObject({ completed: 5, failed: 1, failures: [{ index: 2 }] });
    // A failed item is sent again with the task; no other is sent twice, and a repetition has the same key.
    const sent = Object.fromEntries([...keys].map(([item, all]) => [item, all.length]));
    expect(sent).toEqual({ '"a"': 1, '"b"': 1, '"bad"': 2, '"better"': 1, '"lost"': 2, '"sent"': 1 });
    expect(new Set(keys.get('"lost"')).size).toBe(1);
    expect(new Set([...keys.values()].flat()).size).toBe(6);
  });

  it('P12 secrets are changed and deleted, and refused for other hosts', async () => {
    const body = { name: 'once', value: VALUE, hosts: ['api.example'] };
    const id = String((await tenant.post('/api/secrets', body)).json.id);
    expect((await tenant.post('/api/secrets', body)).json.code).toBe('secret_exists');
    const change = (to: object) => tenant.request('PATCH', `/api/secrets/${id}`, to);
    const refused = await change({ hosts: ['api.example', 'api2.example'] });
    expect(refused).toMatchObject({ status: 422, json: { errors: [{ path: 'value' }] } });
    const changed = await change({ hosts: ['api.example', 'API2.example:443'], value: VALUE });
    expect(changed).toMatchObject({ status: 200, json: { id, hosts: ['api.example', 'api2.example'] } });
    expect(await change({ hosts: ['api2.example'] })).toMatchObject({ json: { hosts: ['api2.example'] } });
    const call = { method: 'GET', url: `http://${host}/`, headers: { authorization: '{{once}}' } };
    const failed = async () => {
      const plan = await start([task('read', 'http_request', call)]);
      await tenant.events(plan.id);
      return ((await tenant.get(`/api/plans/${plan.id}`)).json as View).results[0].error.code as string;
    };
    expect(await failed()).toBe('secret_not_allowed');
    expect((await tenant.request('DELETE', `/api/secrets/${id}`)).status).toBe(204);
    expect(await failed()).toBe('unknown_secret');
    expect((await tenant.request('DELETE', `/api/secrets/${id}`)).status).toBe(404);
  });

  it('P5 hosts that plans of a model may read are listed by the tenant, on the command line too', async () => {
    const other = await stack.tenant();
    expect((await other.get('/api/plan-hosts')).json).toEqual({ hosts: [] });
    const change = (hosts: string[]) => other.request('PATCH', '/api/plan-hosts', { hosts });
    expect(await change(['Docs.example', 'docs.example:443'])).toMatchObject({
      json: { hosts: ['docs.example'] },
    });
    expect(await change(['*.example'])).toMatchObject({ status: 422 });
    const run = (...args: string[]) =>
      runCli(['secret', 'hosts', ...args], { cwd: tmpdir(), env: cliEnv(other) });
    expect((await run()).stdout).toBe('docs.example\n');
    expect((await run('a.example', 'b.example')).stdout).toBe('a.example\nb.example\n');
    expect((await run('--none')).stdout).toBe('');
    expect((await other.get('/api/plan-hosts')).json).toEqual({ hosts: [] });
  });

  it('P12 secrets are stored, listed and removed on the command line, which never shows a value', async () => {
    const other = await stack.tenant();
    const run = (args: string[], input?: string) =>
      runCli(['secret', ...args], { cwd: tmpdir(), env: cliEnv(other), ...(input && { input }) });
    const unnamed = await run(['set', 'crm'], VALUE);
    expect([unnamed.code, unnamed.stderr]).toEqual([1, expect.stringContaining('--host')]);
    const added = await run(['set', 'crm', '--host', 'api.example'], `${VALUE}\n`);
    const replaced = await run(['set', 'crm'], `${VALUE}-2`);
    expect([added.stdout, replaced.stdout]).toEqual(Array(2).fill('crm  api.example\n'));
    const listed = await run(['list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'crm', hosts: ['api.example'] }]);
    const [gone, unknown] = [await run(['remove', 'crm']), await run(['remove', 'crm'])];
    expect([gone.code, gone.stdout]).toEqual([0, expect.stringContaining('There are no secrets.')]);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no secret "crm".')]);
    const seen = [unnamed, added, replaced, listed, gone].map(({ stdout, stderr }) => stdout + stderr).join();
    expect(seen).not.toContain(VALUE);
  });

  it('P12 a tenant has at most 50 secrets, also if they are created concurrently', async () => {
    const other = await stack.tenant();
    const add = (n: number) =>
      other.post('/api/secrets', { name: `secret-${n}`, value: VALUE, hosts: ['api.example'] });
    for (let n = 4; n < MAX_SECRETS; n++) expect((await add(n)).status).toBe(201);
    const answers = await Promise.all([0, 1, 2, 3, MAX_SECRETS, MAX_SECRETS + 1].map(add));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(answers.flatMap(({ json }) => json.code ?? [])).toEqual(['too_many_secrets', 'too_many_secrets']);
  });

  it('P13 a plan with a literal credential is rejected', async () => {
    const headers = { authorization: 'Bearer 0123456789' };
    const plan = await start([task('a', 'http_request', { method: 'GET', url: `http://${host}/`, headers })]);
    expect(plan).toMatchObject({ code: 'invalid_plan', detail: expect.stringContaining('as a secret') });
  });
});
