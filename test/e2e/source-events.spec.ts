import type { ApiClient } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { WebhookReceiver } from '#testing/webhook-receiver.js';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Webhook } from 'standardwebhooks';

interface SourceEvent {
  id?: string;
  event?: string;
  data: { id: string; name: string; state: string; collection_id: string; problem: string | null };
}

/** Events of sources during indexing, on the real system. */
describe('events of sources', () => {
  let stack: SharedStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack('private');
    tenant = await stack.tenant();
  });

  const newCollection = async (client = tenant) => {
    const { json } = await client.post('/api/knowledge/collections', { name: 'told' });
    return { id: String(json.id), path: `/api/knowledge/collections/${String(json.id)}` };
  };
  const upload = async (path: string, files: Record<string, string>) => {
    const form = new FormData();
    for (const [name, text] of Object.entries(files)) form.append('file', new Blob([text]), name);
    const { status, json } = await tenant.request('POST', `${path}/sources`, form);
    expect(status).toBe(202);
    return (json.items as { id: string }[]).map(({ id }) => id);
  };
  /** Reads a collection's stream until an event satisfies the condition, or the stream ends. */
  async function read(path: string, isLast: (receivedEvent: SourceEvent) => boolean, lastEventId?: string): Promise<SourceEvent[]> {
    const headers: Record<string, string> = {
      authorization: `Bearer ${tenant.key}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    const response = await fetch(`${stack.url}${path}/events`, { headers, signal: AbortSignal.timeout(60_000) });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const messages = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    const told: SourceEvent[] = [];
    for await (const { id, event, data } of messages as AsyncIterable<{ id?: string; event?: string; data: string }>) {
      told.push({ ...(id && { id }), ...(event && { event }), data: JSON.parse(data) as SourceEvent['data'] });
      if (isLast(told.at(-1)!)) break;
    }
    return told;
  } // prettier-ignore

  it('B14 report each source until it is ready or failed, the continuation of a cut stream, and deletions', async () => {
    const { path } = await newCollection();
    const ends = new Set<string>();
    const reading = read(path, ({ data }) => {
      if (data.state === 'ready' || data.state === 'failed') ends.add(data.name);
      return ends.size === 2;
    });
    const [good, broken] = await upload(path, {
      'good.md': '# Good\n\nWords.',
      'broken.pdf': '%PDF-1.4 nothing',
    });
    const told = await reading;
    const lastOf = (id: string) => told.filter(({ data }) => data.id === id).at(-1)!;
    expect(lastOf(good!)).toMatchObject({ event: 'source', data: { state: 'ready', problem: null } });
    expect(lastOf(broken!).data).toMatchObject({ state: 'failed', problem: expect.any(String) as string });
    expect(lastOf(good!).data).toEqual((await tenant.get(`${path}/sources/${good}`)).json);

    const later = read(path, ({ event }) => event === 'source_removed', lastOf(good!).id);
    await tenant.request('DELETE', `${path}/sources/${broken}`);
    expect((await later).at(-1)!.data).toMatchObject({ id: broken });

    const untilItsEnd = read(path, () => false);
    await tenant.request('DELETE', path);
    // The stream ends with its collection, even if it did not report that the sources were deleted.
    expect((await untilItsEnd).map(({ data }) => data.id)).not.toContain(broken);
    expect((await tenant.get(`${path}/events`)).status).toBe(404);
  });

  it('B14 are sent to webhooks when a source can be found or has failed, with only IDs and states', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const { json: hook } = await tenant.post('/api/webhooks', {
        url: receiver.url,
        events: ['source_ready', 'source_failed'],
      });
      const { id, path } = await newCollection();
      const [good, broken] = await upload(path, {
        'hidden.md': 'Secret words.',
        'broken.pdf': '%PDF-1.4 nothing',
      });
      const all = await receiver.until('two requests', (received) => received.length >= 2);
      const messages = all.map(({ json: { type, data } }) => ({ type, data }));
      const of = (sourceId: string) => messages.find(({ data }) => data.source_id === sourceId);
      const common = { collection_id: id, seq: expect.any(Number) as number };
      expect(of(good!)).toEqual({
        type: 'source.ready',
        data: { source_id: good, state: 'ready', ...common },
      });
      expect(of(broken!)).toEqual({
        type: 'source.failed',
        data: { source_id: broken, state: 'failed', ...common },
      });
      expect(all.map(({ body }) => body).join()).not.toMatch(/hidden|secret|\bpdf\b/i);
      for (const { body, headers } of all)
        expect(() =>
          new Webhook(String(hook.secret)).verify(body, headers as Record<string, string>),
        ).not.toThrow();

      // New content is reported again, under a new ID, and no event is repeated.
      await upload(path, { 'hidden.md': 'Other words.' });
      const again = await receiver.until('three requests', (received) => received.length >= 3);
      expect(again.at(-1)!.json.data).toMatchObject({ source_id: good, state: 'ready' });
      expect(new Set(again.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
      const { json } = await tenant.get(`/api/webhooks/${String(hook.id)}`);
      expect(json.deliveries).toHaveLength(3);
      expect(json.deliveries).toContainEqual(
        expect.objectContaining({
          event: 'source_failed',
          source_id: broken,
          collection_id: id,
          run_id: null,
        }),
      );
    } finally {
      await receiver.stop();
    }
  });
});
