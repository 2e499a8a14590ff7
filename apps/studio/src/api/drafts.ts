import { jsonOf } from '#contracts/lenient.js';

/** Unsaved changes of one tab to a resource on the server. */
export interface Draft<T> {
  id: string;
  /** Etag of the version that the changes are based on. */
  etag: string;
  content: T;
  /** Time of the last change, in milliseconds since 1970. */
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
 * Drafts of one resource in this browser. Each tab edits its own draft. If another tab changes or removes it,
 * this tab stores its version under a new id, so that no tab deletes another's work.
 */
export class Drafts<T> {
  private mine: Draft<T> | null;

  /**
   * @param place identifies the resource, such as `scriptorium.chapter.<id>`
   * @param kept storage that persists and is shared by all tabs
   * @param tab storage that survives a reload: it stores the id of the tab's draft
   */
  constructor(
    private readonly place: string,
    private readonly kept: Kept,
    private readonly tab: Kept,
  ) {
    const id = tab.getItem(place);
    const drafts = this.all();
    // A new tab continues the newest draft.
    this.mine = (id === null ? drafts[0] : drafts.find((draft) => draft.id === id)) ?? null;
  }

  /** Draft of this tab, or null. */
  get own(): Draft<T> | null {
    return this.mine;
  }

  /** Drafts of other tabs, newest first. */
  get others(): Draft<T>[] {
    return this.all().filter(({ id }) => id !== this.mine?.id);
  }

  /** Stores the changes of this tab. */
  keep(content: T, etag: string): void {
    const id = this.isAlone() ? (this.mine?.id ?? crypto.randomUUID()) : crypto.randomUUID();
    this.set({ id, etag, content, at: Date.now() });
  }

  /** Stores the draft of this tab again if another tab has changed or removed it. */
  secure(): void {
    if (this.mine && !this.isAlone()) this.set({ ...this.mine, id: crypto.randomUUID() });
  }

  /** Removes the draft of this tab, because it was saved or discarded. */
  forget(): void {
    if (this.mine && this.isAlone()) this.kept.removeItem(this.keyOf(this.mine.id));
    this.leave();
  }

  /** Detaches the draft of this tab; it stays among the others. */
  leave(): void {
    this.mine = null;
    this.tab.setItem(this.place, '');
  }

  /** Switches to another draft; the draft of this tab stays among the others. */
  take(draft: Draft<T>): void {
    this.mine = draft;
    this.tab.setItem(this.place, draft.id);
  }

  /** Removes a draft of another tab. */
  discard({ id }: Draft<T>): void {
    this.kept.removeItem(this.keyOf(id));
  }

  private set(draft: Draft<T>): void {
    this.take(draft);
    this.kept.setItem(this.keyOf(draft.id), JSON.stringify(draft));
  }

  /** Returns whether no other tab has changed this tab's draft. */
  private isAlone(): boolean {
    if (!this.mine) return true;
    const stored = this.read(this.keyOf(this.mine.id));
    return JSON.stringify(stored) === JSON.stringify(this.mine);
  }

  private keyOf(id: string): string {
    return `${this.place}.${id}`;
  }

  private read(key: string): Draft<T> | null {
    // Ignore an unreadable draft.
    return (jsonOf(this.kept.getItem(key) ?? '') ?? null) as Draft<T> | null;
  }

  private all(): Draft<T>[] {
    const keys = Array.from({ length: this.kept.length }, (_, at) => this.kept.key(at) ?? '');
    return keys
      .filter((key) => key.startsWith(`${this.place}.`))
      .flatMap((key) => this.read(key) ?? [])
      .sort((one, other) => other.at - one.at);
  }
}
