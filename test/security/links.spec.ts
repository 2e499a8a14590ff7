import { createDatabase, type Database } from '#db/client.js';
import { ApiClient } from '#testing/api-client.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { askingFiles, MISSING_IMAGE } from '#testing/examples.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { tmpdir } from 'node:os';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const MANUSCRIPT = { kind: 'document', name: 'manuscript' };

describe('links that work without an account', () => {
  let stack: SharedStack;
  let db: Database;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    db = createDatabase(stack.database.url, 2);
    tenant = await stack.tenant();
  });
  afterAll(() => db.$disconnect());

  const open = (path: string, init: RequestInit = {}) =>
    fetch(stack.url + path, { redirect: 'manual', ...init });
  const unknown = async (path: string) => {
    const response = await open(path);
    return { status: response.status, text: await response.text() };
  };
  const UNKNOWN = '/share/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

  describe('to a result', () => {
    let session: string;
    let shares: string;

    beforeAll(async () => {
      const files = {
        'notes.md': '# Notes\n\nA <script>alert(1)</script> [word](javascript:alert(1)) of *Ada*.\n',
      };
      session = await tenant.sessionWith(files);
      await tenant.completed((await tenant.startRun(session)).id);
      shares = `/api/sessions/${session}/shares`;
    });

    const share = async (changes: object = {}, client = tenant) =>
      (await client.post(shares, { result: MANUSCRIPT, until: inHours(1), ...changes })).json as Record<
        string,
        string
      >;

    it('show the text for reading and offer its Word file, without scripts, cookies and traces', async () => {
      const { path } = await share();
      const response = await open(path!);
      const html = await response.text();
      expect(response.status).toBe(200);
      expect(html).toContain('<em>Ada</em>');
      expect(html).not.toMatch(/<script|href="javascript:/);
      const { headers } = response;
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'nonce-/);
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('set-cookie')).toBeNull();
      const file = await open(/href="([^"]+\/file)"/.exec(html)![1]!);
      expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename=".*\.docx"/);
      expect(Buffer.from(await file.arrayBuffer()).equals(Buffer.from(await tenant.docx(session)))).toBe(
        true,
      );
    });

    it('offer no Word file of another text', async () => {
      const [{ id }] = (await tenant.get(`/api/sessions/${session}/exports`)).json.items as [{ id: string }];
      const file = await db.export.findUniqueOrThrow({ where: { id } });
      const other = {
        ...file,
        id: 'exp_other',
        effectKey: 'other',
        name: 'other.docx',
        createdAt: new Date(),
      };
      await db.export.create({ data: other });
      const { path } = await share();
      const html = await (await open(path!)).text();
      await db.export.delete({ where: { id: other.id } });
      expect(html).toContain(file.name);
      expect(html).not.toContain('other.docx');
    });

    it('offer an exported file', async () => {
      const [{ id }] = (await tenant.get(`/api/sessions/${session}/exports`)).json.items as [{ id: string }];
      const { path } = await share({ result: undefined, export_id: id });
      expect(await (await open(path!)).text()).toContain(`${path}/file`);
      expect((await open(`${path}/file`)).status).toBe(200);
    });

    it('give the same answer when they are unknown, revoked or expired, and when their key or tenant has ended', async () => {
      const other = await stack.tenant();
      const expected = await unknown(UNKNOWN);
      expect([expected.status, JSON.parse(expected.text).code]).toEqual([404, 'not_found']);
      const revoked = await share();
      expect(await tenant.request('DELETE', `${shares}/${revoked.id}`)).toMatchObject({ status: 204 });
      expect(await unknown(revoked.path!)).toEqual(expected);
      expect(await unknown(`${revoked.path}/file`)).toMatchObject({ status: 404 });
      const expired = await share();
      await db.link.updateMany({ where: { id: expired.id! }, data: { expiresAt: new Date(0) } });
      expect(await unknown(expired.path!)).toEqual(expected);
      const made = (await tenant.post('/api/keys', { name: 'short', scopes: ['write'] })).json as Record<
        string,
        string
      >;
      const ended = await share({}, new ApiClient(stack.url, made.key!));
      expect((await open(ended.path!)).status).toBe(200);
      await tenant.request('DELETE', `/api/keys/${made.id}`);
      expect(await unknown(ended.path!)).toEqual(expected);
      const erased = await other.sessionWith({ 'own.md': '# Own\n' });
      await other.completed((await other.startRun(erased)).id);
      const body = { result: MANUSCRIPT, until: inHours(1) };
      const [kept, suspended] = [
        await other.post(`/api/sessions/${erased}/shares`, body),
        await other.post(`/api/sessions/${erased}/shares`, body),
      ];
      const { tenantId } = await db.session.findFirstOrThrow({ where: { id: erased } });
      await db.tenant.updateMany({ where: { id: tenantId }, data: { suspendedAt: new Date() } });
      expect(await unknown(String(suspended.json.path))).toEqual(expected);
      await db.tenant.updateMany({ where: { id: tenantId }, data: { suspendedAt: null } });
      expect((await open(String(kept.json.path))).status).toBe(200);
      await other.request('DELETE', `/api/sessions/${erased}`);
      expect(await unknown(String(kept.json.path))).toEqual(expected);
    });

    it('never repeat their secret, whatever is asked of them', async () => {
      const { path } = await share();
      const secret = path!.split('/').at(-1)!;
      const requests: [method: string, to: string, status: number][] = [
        ['PUT', path!, 405],
        ['DELETE', path!, 404],
        ['POST', path!, 404],
        ['GET', `${path}/other`, 404],
        ['PATCH', `/answer/${secret}`, 404],
      ];
      for (const [method, to, expected] of requests) {
        const response = await open(to, { method });
        expect([method, response.status]).toEqual([method, expected]);
        expect(await response.text()).not.toContain(secret);
      }
      const { status, text } = await unknown(UNKNOWN);
      expect([status, text]).toEqual([404, expect.stringContaining('"instance":"/share/:secret"')]);
      expect((await open(path!)).status).toBe(200);
    });

    it('are made, listed and ended on the command line', async () => {
      const cli = (...args: string[]) => runCli(['share', ...args], { cwd: tmpdir(), env: cliEnv(tenant) });
      const made = await cli('add', session, '--days', '7');
      expect([made.code, made.stderr]).toEqual([0, expect.any(String)]);
      const { pathname } = new URL(made.stdout.trim());
      expect(await (await open(pathname)).text()).toContain('<em>Ada</em>');
      const [id] = (await cli('list', session)).stdout.split('  ');
      expect((await cli('remove', session, id!)).code).toBe(0);
      const { code, stderr } = await cli('add', session, '--days', 'week');
      expect(code).not.toBe(0);
      expect(stderr).toContain('whole number');
      expect((await open(pathname)).status).toBe(404);
    });

    it('store only the hash of their secret, and say their path once', async () => {
      const { id, path } = await share();
      const secret = path!.slice('/share/'.length);
      expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
      expect(JSON.stringify(await db.link.findFirst({ where: { id: id! } }))).not.toContain(secret);
      const { text, json } = await tenant.get(shares);
      expect(json.items).toContainEqual(expect.objectContaining({ id, ...MANUSCRIPT, export_id: null }));
      expect(text).not.toContain(secret);
      expect((await tenant.get('/api/audit')).text).not.toContain(secret);
      expect((await tenant.get('/api/audit')).text).toContain('createShare');
    });

    it.each([
      ['without an end in the next 90 days', { until: inHours(91 * 24) }, 'invalid_request'],
      ['that have ended', { until: inHours(-1) }, 'invalid_request'],
      ['to two things', { export_id: 'exp_0' }, 'invalid_request'],
      ['to nothing', { result: undefined }, 'invalid_request'],
      ['to a result that is no text', { result: { kind: 'document', name: 'ledger' } }, 'not_found'],
      ['to an unknown export', { result: undefined, export_id: 'exp_0' }, 'not_found'],
    ])('are refused %s', async (_, changes, code) => {
      expect((await share(changes)).code).toBe(code);
    });

    it('are limited in number', async () => {
      const idle = await tenant.sessionWith({ 'a.md': '# A\n' });
      await tenant.completed((await tenant.startRun(idle)).id);
      const make = () =>
        tenant.post(`/api/sessions/${idle}/shares`, { result: MANUSCRIPT, until: inHours(1) });
      const made = await Promise.all(Array.from({ length: 51 }, make));
      expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
      expect(made.map(({ json }) => json.code)).toContain('too_many_links');
    });
  });

  describe('to a question', () => {
    // A new tenant for each question: answers are remembered by the content of their source.
    async function asked(inputs: object = {}) {
      tenant = await stack.tenant();
      const session = await tenant.sessionWith(askingFiles());
      const { id: run } = await tenant.startRun(session, inputs as Record<string, unknown>);
      const { id } = await tenant.decision(run);
      return { run, id, link: await tenant.post(`/api/decisions/${id}/links`) };
    }
    const answer = (path: string, form: Record<string, string>) =>
      open(path, { method: 'POST', body: new URLSearchParams(form) });

    it('answer it once; looking at them answers nothing', async () => {
      const { run, id, link } = await asked();
      const [path, linkId] = [String(link.json.path), String(link.json.id)];
      const second = String((await tenant.post(`/api/decisions/${id}/links`)).json.path);
      for (const method of ['GET', 'HEAD', 'GET']) expect((await open(path, { method })).status).toBe(200);
      expect((await tenant.get(`/api/decisions/${id}`)).json.status).toBe('open');
      expect(await (await open(path)).text()).toContain(`name="${MISSING_IMAGE}"`);
      const wrong = await answer(path, { [MISSING_IMAGE]: 'somewhere' });
      expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('role="alert"')]);
      expect((await answer(path, { [MISSING_IMAGE]: 'skip' })).status).toBe(200);
      expect((await tenant.get(`/api/decisions/${id}`)).json).toMatchObject({
        status: 'answered',
        answered_by: linkId,
        answer: { user_decisions: { [MISSING_IMAGE]: 'skip' } },
      });
      expect(await db.link.count({ where: { decisionId: id } })).toBe(0);
      for (const gone of [path, second]) {
        expect((await open(gone)).status).toBe(404);
        expect((await answer(gone, { [MISSING_IMAGE]: 'skip' })).status).toBe(404);
      }
      await tenant.completed(run);
      const entries = (await tenant.get('/api/audit')).json.items as { action: string; actor: string }[];
      expect(entries).toContainEqual(expect.objectContaining({ action: 'decisionAnswered', actor: linkId }));
    });

    it('do not open a result, and those of results answer nothing', async () => {
      const { link } = await asked();
      const secret = String(link.json.path).slice('/answer/'.length);
      expect((await open(`/share/${secret}`)).status).toBe(404);
      expect((await open(UNKNOWN.replace('share', 'answer'))).status).toBe(404);
    });

    it('are refused for a question with a quorum, and for one that is answered', async () => {
      const { link } = await asked({ decisions: { quorum: 2 } });
      expect([link.status, link.json.code]).toEqual([403, 'forbidden']);
      const { id } = await asked();
      await tenant.post(`/api/decisions/${id}/answer`, { user_decisions: { [MISSING_IMAGE]: 'skip' } });
      expect((await tenant.post(`/api/decisions/${id}/links`)).json.code).toBe('decision_stale');
    });
  });
});
