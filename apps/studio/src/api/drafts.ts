/** Unsaved work on something the server has, as one tab has left it. */
export interface Draft<T> {
  id: string;
  /** The etag of what the work began from. */
  etag: string;
  content: T;
  /** When it was changed, in milliseconds since 1970. */
  at: number;
}

/** The part of the Web Storage API that drafts use. */
interface Kept {
  readonly length: number;
  key(at: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/**
 * The drafts of one thing in this browser. Each tab changes a draft of its own. One that another tab changes or removes is kept again under a
 * new id, as this tab has it: no tab deletes what another has.
 */
export class Drafts<T> {
  private mine: Draft<T> | null;

  /**
   * @param place names the thing, such as `scriptorium.chapter.<id>`
   * @param kept outlives the browser and is shared by its tabs
   * @param tab outlives a reload: it remembers which draft is the tab's
   */
  constructor(
    private readonly place: string,
    private readonly kept: Kept,
    private readonly tab: Kept,
  ) {
    this.adopt();
    const id = tab.getItem(place);
    const drafts = this.all();
    // A new tab continues the newest draft.
    this.mine = (id === null ? drafts[0] : drafts.find((draft) => draft.id === id)) ?? null;
  }

  /** The draft of this tab; null when it has none. */
  get own(): Draft<T> | null {
    return this.mine;
  }

  /** Drafts that are not this tab's, newest first. */
  get others(): Draft<T>[] {
    return this.all().filter(({ id }) => id !== this.mine?.id);
  }

  /** Stores the work of this tab. */
  keep(content: T, etag: string): void {
    const id = this.isAlone() ? (this.mine?.id ?? crypto.randomUUID()) : crypto.randomUUID();
    this.set({ id, etag, content, at: Date.now() });
  }

  /** Stores the draft of this tab again if another tab has changed or removed it. */
  secure(): void {
    if (this.mine && !this.isAlone()) this.set({ ...this.mine, id: crypto.randomUUID() });
  }

  /** Removes the draft of this tab, which was saved or is not wanted. */
  forget(): void {
    if (this.mine && this.isAlone()) this.kept.removeItem(this.keyOf(this.mine.id));
    this.leave();
  }

  /** Leaves the draft of this tab among the others. */
  leave(): void {
    this.mine = null;
    this.tab.setItem(this.place, '');
  }

  /** Switches to another draft; the draft of this tab stays among the others. */
  take(draft: Draft<T>): void {
    this.mine = draft;
    this.tab.setItem(this.place, draft.id);
  }

  /** Removes a draft that is not this tab's. */
  discard({ id }: Draft<T>): void {
    this.kept.removeItem(this.keyOf(id));
  }

  /** Migrates the draft of earlier releases, which stored one for all tabs under the place itself. */
  private adopt(): void {
    const earlier = this.read(this.place) as (Partial<Draft<T>> & { rows?: T }) | null;
    const content = earlier?.content ?? earlier?.rows;
    if (earlier?.etag !== undefined && content !== undefined)
      this.kept.setItem(
        this.keyOf('earlier'),
        JSON.stringify({ id: 'earlier', etag: earlier.etag, content, at: 0 }),
      );
    this.kept.removeItem(this.place);
  }

  private set(draft: Draft<T>): void {
    this.take(draft);
    this.kept.setItem(this.keyOf(draft.id), JSON.stringify(draft));
  }

  /** Whether no other tab has changed the draft of this one. */
  private isAlone(): boolean {
    if (!this.mine) return true;
    const stored = this.read(this.keyOf(this.mine.id));
    return JSON.stringify(stored) === JSON.stringify(this.mine);
  }

  private keyOf(id: string): string {
    return `${this.place}.${id}`;
  }

  private read(key: string): Draft<T> | null {
    try {
      return JSON.parse(this.kept.getItem(key) ?? 'null') as Draft<T> | null;
    } catch {
      // Ignore an unreadable draft.
      return null;
    }
  }

  private all(): Draft<T>[] {
    const keys = Array.from({ length: this.kept.length }, (_, at) => this.kept.key(at) ?? '');
    return keys
      .filter((key) => key.startsWith(`${this.place}.`))
      .flatMap((key) => this.read(key) ?? [])
      .sort((one, other) => other.at - one.at);
  }
}
