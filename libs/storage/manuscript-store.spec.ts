import { MemoryStore } from '#testing/memory-store.js';
import { ManuscriptStore } from './manuscript-store.js';

describe('ManuscriptStore.addedSince', () => {
  const manuscripts = new ManuscriptStore(new MemoryStore(), 'tenant', 'session');

  it('D9 returns the text that appends added, and null if an earlier line was changed', async () => {
    const first = (await manuscripts.append(null, '# One\n')).pointer;
    const second = (await manuscripts.append(first, '# Two\n')).pointer;
    const third = (await manuscripts.append(second, 'words\n')).pointer;
    expect(String(await manuscripts.addedSince(third, first))).toBe('\n# Two\n\nwords\n');
    expect(String(await manuscripts.addedSince(third, third))).toBe('');
    expect(await manuscripts.addedSince(first, second)).toBeNull();
    const edited = (await manuscripts.editLine(third, 1, '# Other')).pointer;
    expect(await manuscripts.addedSince(edited, second)).toBeNull();
  });
});

describe('ManuscriptStore.joined', () => {
  it('X6 returns a version with the same text and outline in one segment, and a short list of segments as it is', async () => {
    const store = new MemoryStore();
    const manuscripts = new ManuscriptStore(store, 'tenant', 'session');
    let pointer: string | null = null;
    for (let chapter = 1; chapter <= 20; chapter++)
      ({ pointer } = await manuscripts.append(pointer, `# Chapter ${chapter}\n\n\`\`\`\ncode\n\`\`\`\n`));
    const joined = await manuscripts.joined(pointer!);
    expect(await manuscripts.keysOf(joined)).toHaveLength(2);
    expect(await manuscripts.read(joined)).toBe(await manuscripts.read(pointer));
    expect(await manuscripts.describe(joined)).toEqual({
      ...(await manuscripts.describe(pointer!)),
      pointer: joined,
    });
    expect(await manuscripts.joined(joined)).toBe(joined);
    const more = (await manuscripts.append(joined, 'words\n')).pointer;
    expect(await manuscripts.joined(more)).toBe(more);
    expect(Buffer.from((await manuscripts.addedSince(more, joined))!).toString()).toBe('\nwords\n');
  });
});
