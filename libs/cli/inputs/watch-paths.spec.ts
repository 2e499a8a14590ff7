import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changesBelow, mayBeInput, repeatAt } from './watch-paths.js';

describe('changesBelow', () => {
  it('repeats the work after changes that were made during the work', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'watch-'));
    const watching = new AbortController();
    let works = 0;
    const work = async () => {
      works += 1;
      if (works === 3) watching.abort();
      else await writeFile(join(dir, 'a.md'), `Version ${works}`);
    };
    await repeatAt(changesBelow([dir], [], watching.signal), work, (error) => {
      throw error;
    });
    expect(works).toBe(3);
    await rm(dir, { recursive: true });
  });
});

describe('mayBeInput', () => {
  it.each([
    ['/in', 'notes/a.md', true],
    ['/in', 'o.docx', false],
    ['/in', 'o.docx.md', true],
    ['/in', 'data/log/1.json', false],
    ['/in', '.scriptorium-1.part', false],
    ['/in', 'notes/.git/config', false],
    ['/in/.notes.md', '.notes.md', true],
  ])('of %s decides about %s: %s', (root, changed, expected) => {
    expect(mayBeInput(root, changed, ['/in/o.docx', '/in/data'])).toBe(expected);
  });
});

describe('repeatAt', () => {
  it('works once, then after each change, and goes on after an error', async () => {
    const done: string[] = [];
    async function* changes() {
      yield;
      expect(done).toEqual(['work 1']);
      yield;
      yield;
    }
    const work = async () => {
      done.push(`work ${done.length + 1}`);
      if (done.length === 2) throw new Error('no manuscript');
    };
    await repeatAt(changes(), work, (error) => done.push(String(error)));
    expect(done).toEqual(['work 1', 'work 2', 'Error: no manuscript', 'work 4']);
  });

  it('ends with the error of the first work, and the watching with it', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'watch-'));
    const changes = changesBelow([dir], [], new AbortController().signal);
    const failing = () => Promise.reject(new Error('no files'));
    await expect(repeatAt(changes, failing, () => undefined)).rejects.toThrow('no files');
    expect(await changes.next()).toEqual({ done: true, value: undefined });
    await rm(dir, { recursive: true });
  });
});
