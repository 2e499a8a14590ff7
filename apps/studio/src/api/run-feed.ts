import { EventSourceParserStream } from 'eventsource-parser/stream';

/** An event of a run as the stream carries it. */
export interface RunEvent {
  seq: number;
  at: string;
  run_id: string;
  type: string;
  data: Record<string, unknown>;
}

export type Connection = 'connecting' | 'open' | 'lost' | 'ended';

/** What is known of a run's stream; made anew with each change, so that it can be compared. */
export interface FeedState {
  readonly events: readonly RunEvent[];
  readonly connection: Connection;
}

/** How long to wait before a stream that broke off is opened again. */
const RECONNECT_MS = 1_000;
/** Silence after which a stream is taken for dead: three times as long as the service lets pass without a word. */
const SILENCE_MS = 45_000;

/**
 * The event stream of one run, from its first event on, for as many parts of a page as want to follow it: a browser opens only six
 * connections to a host. A stream that breaks off is opened again behind the last event seen, so nothing is missed or shown twice.
 */
export class RunFeed {
  state: FeedState = { events: [], connection: 'connecting' };
  private readonly listeners = new Set<() => void>();
  private readonly pending: RunEvent[] = [];
  private abort: AbortController | null = null;
  private frame = 0;

  /** @param onBack is told when the stream is there again after it broke off: what was asked for meanwhile did not come */
  constructor(
    private readonly runId: string,
    private readonly onBack: () => void,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    if (this.abort === null) void this.follow((this.abort = new AbortController()).signal);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.abort?.abort();
      this.abort = null;
    };
  };

  private async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.state.connection !== 'ended') {
      const silence = new Silence(SILENCE_MS);
      try {
        await this.read(AbortSignal.any([signal, silence.signal]), () => silence.broken());
      } catch {
        // The stream is opened again, whatever broke it.
      } finally {
        silence.stop();
      }
      if (signal.aborted || this.hasEnded()) break;
      this.show('lost');
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  }

  private hasEnded(): boolean {
    return (this.pending.at(-1) ?? this.state.events.at(-1))?.type === 'done';
  }

  /** @param heard is told of every sign of life */
  private async read(signal: AbortSignal, heard: () => void): Promise<void> {
    const last = (this.pending.at(-1) ?? this.state.events.at(-1))?.seq ?? 0;
    const response = await fetch(`/api/agents/runs/${this.runId}/events?after=${last}`, { signal });
    // A run that is gone, or a session that has ended, does not come back.
    if ([401, 403, 404].includes(response.status)) return this.show('ended');
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`);
    if (this.state.connection === 'lost') this.onBack();
    this.show('open');
    const messages = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onComment: heard }))
      .getReader();
    for (;;) {
      const { done, value } = await messages.read();
      if (done) return;
      heard();
      if (value.id === undefined) continue;
      const event = JSON.parse(value.data) as RunEvent;
      this.pending.push(event);
      // Many events in one frame are shown at once: a run may have thousands.
      this.frame ||= requestAnimationFrame(() => this.show('open'));
      if (event.type !== 'done') continue;
      await messages.cancel();
      this.show('ended');
      return;
    }
  }

  private show(connection: Connection): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const fresh = this.pending.splice(0);
    const events = fresh.length === 0 ? this.state.events : [...this.state.events, ...fresh];
    this.state = { events, connection: this.state.connection === 'ended' ? 'ended' : connection };
    for (const listener of this.listeners) listener();
  }
}

/** Aborts when nothing was heard for a while. */
class Silence {
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  private timer = 0;

  constructor(private readonly limitMs: number) {
    this.broken();
  }

  broken(): void {
    this.stop();
    this.timer = window.setTimeout(() => this.controller.abort(), this.limitMs);
  }

  stop(): void {
    window.clearTimeout(this.timer);
  }
}
