import { ProblemError } from '#contracts/errors.js';
import { z } from 'zod';
import type { DestinationGuard } from '#egress/destination.js';
import { guardedFetch } from '#egress/guarded-fetch.js';

/** The captions of a recording: WebVTT. */
export interface Transcript {
  /** Names the recording, whatever form its URL had. */
  id: string;
  title: string;
  language: string;
  vtt: string;
}

/** Where transcripts of recordings come from (A14). */
export interface TranscriptPort {
  /** @throws ProblemError `transcript_unavailable` */
  transcript(url: string, language: string | undefined): Promise<Transcript>;
}

const MAX_PAGE_BYTES = 8 * 2 ** 20;
const MAX_TRACK_BYTES = 4 * 2 ** 20;
const TIMEOUT_MS = 20_000;
const VIDEO_ID = /^[\w-]{11}$/;
/** Captions on a page: a list without lists inside. */
const TRACKS = /"captionTracks":(\[[^[\]]{1,100000}\])/;
const NAME = /<title>([^<]{1,500})<\/title>/;

const trackSchema = z.object({
  baseUrl: z.string(),
  languageCode: z.string(),
  /** `asr`: recognised by a machine. */
  kind: z.string().optional(),
});
type Track = z.infer<typeof trackSchema>;

const unavailable = (detail: string) => new ProblemError('transcript_unavailable', detail);

/** YouTube's caption tracks: the page of a video names them, the track itself is read as WebVTT. */
export class YoutubeTranscripts implements TranscriptPort {
  /**
   * @param guard what a request may reach; a page cannot lead elsewhere
   * @param origin of YouTube
   */
  constructor(
    private readonly guard: DestinationGuard,
    private readonly origin = 'https://www.youtube.com',
  ) {}

  async transcript(url: string, language: string | undefined): Promise<Transcript> {
    const id = videoId(url);
    if (id === null)
      throw unavailable('Send the address of a YouTube video, such as https://www.youtube.com/watch?v=…');
    const page = await this.read(`${this.origin}/watch?v=${id}&hl=en`, MAX_PAGE_BYTES);
    const tracks = tracksOf(page);
    const track = chosen(tracks, language);
    if (!track)
      throw unavailable(
        tracks.length === 0
          ? 'The video has no captions that anybody can read.'
          : `The video has captions in ${tracks.map(({ languageCode }) => languageCode).join(', ')}.`,
      );
    const address = new URL(track.baseUrl, this.origin);
    // What the page names is content of a stranger: only YouTube itself is asked.
    if (address.origin !== new URL(this.origin).origin) throw unavailable('The captions lie elsewhere.');
    address.searchParams.set('fmt', 'vtt');
    const vtt = await this.read(address.href, MAX_TRACK_BYTES);
    if (!vtt.trimStart().startsWith('WEBVTT')) throw unavailable('The captions of the video cannot be read.');
    const title = NAME.exec(page)?.[1]
      ?.replace(/ - YouTube$/, '')
      .replace(/\s+/g, ' ')
      .trim();
    return { id, title: title || id, language: track.languageCode, vtt };
  }

  private async read(url: string, maxBytes: number): Promise<string> {
    try {
      const answer = await guardedFetch(this.guard, { maxBytes, timeoutMs: TIMEOUT_MS })(url);
      if (answer.status === 200) return await answer.text();
      await answer.body?.cancel();
    } catch {
      // Refused, broken off, too long, too late: for the tenant it is one and the same.
    }
    throw unavailable('YouTube does not answer, or not with captions. Upload them as .vtt or .srt.');
  }
}

/** The id of a video by any of the forms of its address; null for anything else. */
export function videoId(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol)) return null;
  const host = url.hostname.replace(/^(?:www|m|music)\./, '');
  const [first = '', second = ''] = url.pathname.split('/').filter(Boolean);
  const id =
    host === 'youtu.be'
      ? first
      : host !== 'youtube.com' && host !== 'youtube-nocookie.com'
        ? ''
        : ['shorts', 'embed', 'live', 'v'].includes(first)
          ? second
          : (url.searchParams.get('v') ?? '');
  return VIDEO_ID.test(id) ? id : null;
}

function tracksOf(page: string): Track[] {
  const found = TRACKS.exec(page)?.[1];
  if (found === undefined) return [];
  try {
    return z.array(trackSchema).parse(JSON.parse(found));
  } catch {
    return [];
  }
}

/** The track of the language, else any; one that a person wrote before one that was recognised. */
function chosen(tracks: Track[], language: string | undefined): Track | undefined {
  const fitting =
    language === undefined
      ? tracks
      : tracks.filter(({ languageCode }) => languageCode.split('-')[0] === language);
  return fitting.find(({ kind }) => kind !== 'asr') ?? fitting[0];
}
