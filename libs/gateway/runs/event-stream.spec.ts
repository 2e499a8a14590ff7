import { createDatabase, type Database } from '#db/client.js';
import { EventFeed } from '#engine/events/event-feed.js';
import { NotificationListener } from '#engine/events/listener.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { EVENTS_CHANNEL, RunLog } from '#testing/run-log.js';
import { until } from '#testing/until.js';
import { fastify, type FastifyInstance } from 'fastify';
import { createParser } from 'eventsource-parser';
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendEvents, type Heartbeat } from './event-stream.js';

/** Enough events of this size fill every buffer between the two ends. */
const CHUNK = 'x'.repeat(64 * 1024);
const CHUNKS = 300;

/** Slow, silent and dead clients of an event stream, on real sockets. */
describe('an event stream', () => {
  let database: TestDatabase;
  let db: Database;
  let listener: NotificationListener;
  let feed: EventFeed;
  let server: FastifyInstance;
  /** Runs the server's heartbeat. */
  let beat: () => void;
  let response: ServerResponse;
  let ended: Promise<void>;
  /** Events that were taken from the log for the client. */
  let taken: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 4);
    listener = new NotificationListener(database.url, [EVENTS_CHANNEL]);
    await listener.start();
    feed = new EventFeed(db, listener, EVENTS_CHANNEL);
    server = fastify({ forceCloseConnections: true });
    server.get<{ Params: { run: string } }>('/:run', (request, reply) => {
      const gone = new AbortController();
      request.raw.socket.once('close', () => gone.abort());
      const after = Number(request.headers['last-event-id'] ?? 0);
      const counted = async function* () {
        for await (const event of feed.follow(request.params.run, after, gone.signal)) {
          taken += 1;
          yield event;
        }
      };
      response = reply.raw;
      const byHand: Heartbeat = (each) => {
        beat = each;
        return () => undefined;
      };
      ended = sendEvents(request.url, reply, counted(), new AbortController().signal, byHand);
      return ended;
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  beforeEach(() => {
    taken = 0;
  });
  afterAll(async () => {
    await server.close();
    await listener.stop();
    await db.$disconnect();
    await database.drop();
  });

  /** The response, of which the client has read nothing. */
  async function open(runId: string, after: number): Promise<IncomingMessage> {
    const { port } = server.server.address() as AddressInfo;
    const headers = { 'last-event-id': String(after) };
    const request = get({ host: '127.0.0.1', port, path: `/${runId}`, headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }

  /** Reads to the end, to where it is cut off, or to the condition; the ids of whole events. */
  async function read(
    response: IncomingMessage,
    enough: (last: { id?: string; event?: string; comments: number }) => boolean = () => false,
  ): Promise<number[]> {
    const ids: number[] = [];
    const last = { comments: 0 } as Parameters<typeof enough>[0];
    const parser = createParser({
      onEvent: ({ id, event }) => {
        ids.push(Number(id));
        Object.assign(last, { id, event });
      },
      onComment: () => (last.comments += 1),
    });
    try {
      for await (const chunk of response) {
        parser.feed((chunk as Buffer).toString('latin1'));
        if (enough(last)) break;
      }
    } catch {
      // cut off
    }
    return ids;
  }

  it('drops a client that does not read, with a small buffer; the client catches up without gaps or repeats', async () => {
    const log = await RunLog.create(db);
    await log.append(CHUNKS, { text: CHUNK });
    await log.end();
    const paused = await open(log.runId, 0);
    await until('the buffers to be full', () => response.writableNeedDrain);
    beat();
    // Bytes that the operating system had already buffered count as received by the client.
    await until('the client to be dropped', () => (beat(), response.destroyed));
    await ended;
    expect(taken).toBeLessThan(CHUNKS);
    const first = await read(paused);
    expect(first).toEqual(first.map((_, index) => index + 1));
    const rest = await read(await open(log.runId, first.length), ({ event }) => event === 'done');
    expect([...first, ...rest]).toEqual(Array.from({ length: CHUNKS + 1 }, (_, index) => index + 1));
  });

  it('sends heartbeats while the run has no events', async () => {
    const log = await RunLog.create(db);
    const silent = await open(log.runId, 0);
    for (let beats = 0; beats < 3; beats++) beat();
    await read(silent, ({ comments }) => comments > 2);
    silent.destroy();
    await ended;
  });
});
