import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readFileSync } from 'node:fs';
import { DestinationGuard, type Resolver } from '#egress/destination.js';
import { videoId, YoutubeTranscripts } from './youtube.js';

const ID = 'aqz-KE-bpKQ';
const FIXTURES = 'test/fixtures/youtube';
const PLAYER = JSON.parse(readFileSync(`${FIXTURES}/player.json`, 'utf8')) as Record<string, unknown>;
const VTT = readFileSync(`${FIXTURES}/captions.vtt`, 'utf8');

/** A14 captions by the address of a video: a stub of YouTube on loopback, and a resolver that leads every name to it. */
describe('A14 captions of a YouTube video', () => {
  let server: Server;
  let origin: string;
  let player: unknown;
  let track: string;
  let asked: { host: string; path: string; body: string }[] = [];
  const resolved: string[] = [];

  const toLoopback: Resolver = (host) => {
    resolved.push(host);
    return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  };
  const captions = (guard = new DestinationGuard(true, toLoopback)) => new YoutubeTranscripts(guard, origin);
  const tracks = (...captionTracks: object[]) => ({
    ...PLAYER,
    captions: { playerCaptionsTracklistRenderer: { captionTracks } },
  });

  beforeAll(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        asked.push({ host: request.headers.host!, path: request.url!, body });
        if (request.url!.startsWith('/youtubei/v1/player'))
          response.end(typeof player === 'string' ? player : JSON.stringify(player));
        else if (request.url!.startsWith('/api/timedtext')) response.end(track);
        else response.writeHead(302, { location: 'http://127.0.0.1/secret' }).end();
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://www.youtube.test:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((done) => server.close(done)));
  beforeEach(() => {
    asked = [];
    player = PLAYER;
    track = VTT;
  });

  it('are read as WebVTT; human captions take precedence over recognized ones', async () => {
    const found = await captions().transcript(`https://youtu.be/${ID}?t=3`, 'en');
    const said = { title: 'A talk & more', author: 'Harbour Museum' };
    expect(found).toEqual({ id: ID, ...said, language: 'en-GB', vtt: VTT });
    expect(asked.map(({ path }) => path)).toEqual([
      '/youtubei/v1/player?prettyPrint=false',
      `/api/timedtext?v=${ID}&lang=en-GB&fmt=vtt`,
    ]);
    expect(JSON.parse(asked[0]!.body)).toMatchObject({
      videoId: ID,
      context: { client: { clientName: 'ANDROID' } },
    });
    expect(new Set(resolved)).toEqual(new Set(['www.youtube.test']));
    expect((await captions().transcript(`https://www.youtube.com/watch?v=${ID}`, undefined)).language).toBe(
      'pl',
    );
  });

  it.each([
    ['an empty body', '', 'returned empty captions'],
    ['no cue', 'WEBVTT\n\n', 'contain no text'],
    ['a page', '<html></html>', 'could not be parsed'],
  ])('are rejected if YouTube responds with %s', async (_what, body, detail) => {
    track = body;
    const failing = captions().transcript(`https://www.youtube.com/watch?v=${ID}`, 'en');
    await expect(failing).rejects.toMatchObject({
      code: 'transcript_unavailable',
      detail: expect.stringContaining(detail),
    });
  });

  it.each([
    ['no captions', () => ({ ...PLAYER, captions: undefined }), 'no public captions'],
    [
      'a private video',
      () => ({ playabilityStatus: { status: 'LOGIN_REQUIRED', reason: 'This video is\n private' } }),
      'does not play the video: This video is private',
    ],
    ['captions in other languages', () => tracks({ baseUrl: '/x', languageCode: 'de' }), 'captions in de'],
    [
      'captions that lie elsewhere',
      () => tracks({ baseUrl: 'http://169.254.169.254/latest', languageCode: 'en' }),
      'unexpected host',
    ],
    [
      'an answer that leads elsewhere',
      () => tracks({ baseUrl: '/redirect', languageCode: 'en' }),
      'did not return captions',
    ],
    ['a list that is none', () => tracks({ baseUrl: 1 }), 'could not be read'],
    ['a page', () => '<html></html>', 'could not be read'],
  ])('explains what is wrong with %s', async (_what, made, detail) => {
    player = made();
    const failing = captions().transcript(`https://www.youtube.com/watch?v=${ID}`, 'en');
    await expect(failing).rejects.toMatchObject({
      code: 'transcript_unavailable',
      detail: expect.stringContaining(detail),
    });
    expect(asked.every(({ host }) => host.startsWith('www.youtube.test'))).toBe(true);
  });

  it('are only requested from allowed hosts: a name that resolves to a private address is refused', async () => {
    const strict = new YoutubeTranscripts(
      new DestinationGuard(false, toLoopback),
      'https://www.youtube.test',
    );
    await expect(strict.transcript(`https://www.youtube.com/watch?v=${ID}`, 'en')).rejects.toMatchObject({
      code: 'transcript_unavailable',
    });
    expect(asked).toEqual([]);
  });

  it('are recognized by every form of a video’s address, and by no other address', () => {
    const forms = [
      `https://www.youtube.com/watch?v=${ID}&t=1`,
      `https://youtu.be/${ID}`,
      `https://m.youtube.com/shorts/${ID}`,
      `https://www.youtube.com/embed/${ID}`,
      `https://youtube.com/live/${ID}?x`,
    ];
    expect(forms.map(videoId)).toEqual(forms.map(() => ID));
    const others = [
      'https://youtube.com.evil.example/watch?v=aqz-KE-bpKQ',
      'https://example.com/watch?v=aqz-KE-bpKQ',
      'https://youtu.be/../x',
      'file:///youtu.be',
      'https://www.youtube.com/watch?v=a',
      'x',
    ];
    expect(others.map(videoId)).toEqual(others.map(() => null));
  });
});
