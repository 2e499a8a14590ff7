import { jest } from '@jest/globals';
import { Drafts } from '../../apps/studio/src/api/drafts.js';

/** The storage of a browser. */
class MemoryStorage {
  private readonly items = new Map<string, string>();
  get length() {
    return this.items.size;
  }
  key = (at: number) => [...this.items.keys()][at] ?? null;
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

const PLACE = 'scriptorium.chapter.a';

describe('B3 the drafts of two tabs', () => {
  let kept: MemoryStorage;
  let sessions: MemoryStorage[];
  const open = (session = new MemoryStorage()) => {
    sessions.push(session);
    return new Drafts<string>(PLACE, kept, session);
  };
  const texts = (drafts: Drafts<string>) => [
    drafts.own?.content ?? null,
    ...drafts.others.map(({ content }) => content).sort(),
  ];
  beforeEach(() => {
    [kept, sessions] = [new MemoryStorage(), []];
  });

  it('are separate if both started empty', () => {
    const [one, other] = [open(), open()];
    one.keep('one', 'v1');
    other.keep('other', 'v1');
    one.keep('one more', 'v1');
    expect(texts(one)).toEqual(['one more', 'other']);
    expect(texts(other)).toEqual(['other', 'one more']);
  });

  it('become separate when one continues the text of the other', () => {
    const one = open();
    one.keep('begun', 'v1');
    const other = open();
    expect(texts(other)).toEqual(['begun']);
    other.keep('begun there', 'v1');
    one.keep('begun here', 'v1');
    expect(texts(one)).toEqual(['begun here', 'begun there']);
  });

  it('survive if the other tab saves or discards its own', () => {
    const one = open();
    one.keep('begun', 'v1');
    const other = open();
    other.forget();
    one.secure();
    expect(texts(open(sessions[0]))).toEqual(['begun']);
    expect(one.own?.etag).toBe('v1');
  });

  it('are restored by their own tab after a reload, and the newest by a new tab', () => {
    const [one, other] = [open(), open()];
    at(1, () => one.keep('one', 'v1'));
    at(2, () => other.keep('other', 'v2'));
    expect(texts(open(sessions[0]))).toEqual(['one', 'other']);
    expect(texts(open())).toEqual(['other', 'one']);
  });

  it('can be left, restored and discarded', () => {
    const one = open();
    one.keep('one', 'v1');
    one.leave();
    expect(texts(one)).toEqual([null, 'one']);
    expect(texts(open(sessions[0]))).toEqual([null, 'one']);
    one.take(one.others[0]!);
    one.keep('one more', 'v2');
    expect(texts(one)).toEqual(['one more']);
    one.leave();
    one.discard(one.others[0]!);
    expect(texts(one)).toEqual([null]);
    expect(kept.length).toBe(0);
  });

  it('belong to one item, and an unreadable draft is ignored', () => {
    kept.setItem('scriptorium.chapter.ab.1', '{"id":"1","content":"another","etag":"v1","at":1}');
    kept.setItem(`${PLACE}.1`, '{');
    expect(texts(open())).toEqual([null]);
  });
});

function at(now: number, act: () => void): void {
  const spy = jest.spyOn(Date, 'now').mockReturnValue(now);
  act();
  spy.mockRestore();
}
